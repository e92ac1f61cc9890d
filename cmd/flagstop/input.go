package main

import (
	"fmt"
	"io"
)

// maxInput is far above any file of records; what is larger is a mistake.
const maxInput = 64 << 20

func readAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err == nil && len(b) > maxInput {
		err = fmt.Errorf("the input is larger than %d MiB", maxInput>>20)
	}
	return b, err
}
