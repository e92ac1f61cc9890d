package standin

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// maxBody is what a call may send, in bytes; more is request_too_large... of Slack's edge, which cuts far later than
// any message that it takes.
const maxBody = 4 << 20

// args are the arguments of a call: strings from a form, or JSON values.
type args map[string]any

// credentials are the tokens that came with a call.
type credentials struct{ header, body string }

// readArgs reads a call's arguments from the query and the body, form or JSON, and takes the token out.
func readArgs(w http.ResponseWriter, r *http.Request) (args, credentials, error) {
	a := args{}
	c := credentials{}
	if kind, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(kind, "Bearer") {
		c.header = token
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return nil, c, fail("request_timeout")
	}
	a.add(r.URL.Query())
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		if len(body) == 0 {
			break
		}
		if err := decode(body, &a); err != nil {
			return nil, c, fail("invalid_json")
		}
		if a == nil {
			return nil, c, fail("json_not_object")
		}
	case "multipart/form-data":
		if err := a.addMultipart(body, params["boundary"]); err != nil {
			return nil, c, fail("invalid_form_data")
		}
	case "application/x-www-form-urlencoded", "":
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return nil, c, fail("invalid_form_data")
		}
		a.add(form)
	default:
		return nil, c, fail("invalid_post_type")
	}
	c.body, _ = a["token"].(string)
	delete(a, "token")
	return a, c, nil
}

func (a args) add(form url.Values) {
	for k, v := range form {
		a[k] = v[0]
	}
}

func (a args) addMultipart(body []byte, boundary string) error {
	r := &http.Request{
		Method: http.MethodPost, Body: io.NopCloser(bytes.NewReader(body)),
		Header: http.Header{"Content-Type": {"multipart/form-data; boundary=" + boundary}},
	}
	if err := r.ParseMultipartForm(maxBody); err != nil {
		return err
	}
	a.add(r.MultipartForm.Value)
	return nil
}

// decode reads JSON with the digits of its numbers kept, and nothing after it.
func decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return &json.SyntaxError{Offset: d.InputOffset()}
	}
	return nil
}

// has reports whether an argument was sent, with null as not sent.
func (a args) has(name string) bool { return a[name] != nil }

// text returns a string argument; numbers and booleans are taken as they would be written.
func (a args) text(name string) string {
	switch v := a[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// flag reads a boolean argument; Slack takes "true" and 1 too.
func (a args) flag(name string) bool {
	v := a.text(name)
	return v == "true" || v == "1"
}

// number reads a whole number, or gives the default where there is none.
func (a args) number(name string, otherwise int) int {
	if n, err := strconv.Atoi(a.text(name)); err == nil {
		return n
	}
	return otherwise
}

// structure reads an argument that is JSON, in a string or not. sent is false for none, null and "".
func (a args) structure(name string) (v any, sent bool, err error) {
	s, isText := a[name].(string)
	switch {
	case !a.has(name), isText && s == "":
		return nil, false, nil
	case !isText:
		return a[name], true, nil
	}
	err = decode([]byte(s), &v)
	return v, v != nil, err
}

// decoded returns the arguments with the structured ones decoded, for the log of calls.
func (a args) decoded() map[string]any {
	out := map[string]any{}
	maps.Copy(out, a)
	for _, k := range []string{"blocks", "attachments", "metadata", "view"} {
		if v, sent, err := a.structure(k); sent && err == nil {
			out[k] = v
		}
	}
	return out
}
