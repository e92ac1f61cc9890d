package loops

import "strings"

// What a form must not ask for, folded as plain does and with the joined words apart ("API-key", "apiKey" and "api_key"
// are "api key"): English, Portuguese, Spanish, German, French.
//
// How a false alarm is avoided: a secret is asked for where its name is what the phrase is about. In English and German
// that is the last word before a preposition or the end: "Password", "API key for the registry", but not "password reset
// mail", "token limit", "Passwortlänge"; in the Romance languages the first, but not "política de senhas". Nothing but
// determiners and a few qualifying words may come before it: not "max tokens", "number of API keys", "where the password
// is kept", "reset the password". A choice among options, a switch, a date or a mail address hold no secret at all.

// secretNames are looked for as whole words. Those of numbers can be asked for by a number property, too.
var secretNames = phrases( //nolint:gochecknoglobals // a table
	"password", "passwords", "passwd", "pwd", "passphrase", "passcode", "login details", "login credentials", "credentials",
	"secret", "client secret", "shared secret", "webhook secret", "secret key", "secret access key", "signing secret",
	"token", "api token", "api tokens", "access token", "access tokens", "auth token", "bearer token", "refresh token", "session cookie", "jwt",
	"api key", "api keys", "apikey", "access key", "private key", "private keys", "ssh key", "gpg key", "pgp key", "signing key", "encryption key",
	"deploy key", "master key", "seed phrase", "recovery phrase", "recovery key", "backup code", "backup codes", "mnemonic phrase",
	"senha", "senhas", "palavra passe", "chave de api", "chave api", "chave privada", "chave secreta", "chave de acesso", "token de acesso", "credenciais", "frase de recuperacao",
	"contrasena", "contrasenas", "clave api", "clave de api", "clave privada", "clave secreta", "clave de acceso", "token de acceso", "credenciales", "frase de recuperacion",
	"passwort", "passworter", "kennwort", "zugangsdaten", "anmeldedaten", "api schlussel", "privater schlussel", "privaten schlussel", "privatschlussel", "geheimer schlussel", "zugriffstoken", "zugangstoken", "zugriffsschlussel", "ssh schlussel",
	"mot de passe", "mots de passe", "cle api", "cle d api", "cle privee", "cle secrete", "cle d acces", "cle ssh", "jeton d acces", "jeton api", "identifiants de connexion", "phrase de recuperation")

var secretNumbers = phrases( //nolint:gochecknoglobals // a table
	"pin code", "pin number", "security code", "card security code", "cvv", "cvv2", "cvc", "verification code", "one time code", "one time password", "otp", "2fa code", "mfa code", "sms code", "authentication code", "login code",
	"card number", "credit card", "credit card number", "debit card", "debit card number", "card details", "credit card details", "social security number", "ssn",
	"numero do cartao", "numero de cartao", "cartao de credito", "codigo de seguranca", "codigo de verificacao",
	"numero de tarjeta", "numero de la tarjeta", "tarjeta de credito", "codigo de seguridad", "codigo de verificacion",
	"kreditkarte", "kreditkartennummer", "kartennummer", "kartenprufnummer", "prufziffer der karte", "einmalcode", "bestatigungscode", "sicherheitscode",
	"numero de carte", "numero de la carte", "numero de carte bancaire", "carte bancaire", "carte de credit", "code de securite", "code de verification", "cryptogramme")

// secretFollowers may come after the name of a secret that is what the phrase is about.
var secretFollowers = set( //nolint:gochecknoglobals // a table
	"for of on in from at with that which used by here below please again now and or confirm confirmation confirmed repeat repeated value text string " +
		"do da de del dos das para pra pro no na em por atual nova novo novamente y o e ou aqui " +
		"actual nueva nuevo aqui " +
		"fur des der die das zum zur von vom im am an auf bei mit bitte erneut wiederholen bestatigen hier ein und oder " +
		"du des pour sur dans au aux actuel nouveau ici et ou a d l " +
		"1 2 3")

// secretLeads may come before it: what asks, what determines, and what tells one secret from another. Any other one or
// two words may stand there too, unless they are among secretBlockers.
var secretAsks = set( //nolint:gochecknoglobals // a table
	"enter type paste provide give put insert supply write fill send tell share need needs needed required require input add copy submit reveal " +
		"insira introduza digite escreva cole informe indique forneca envie " +
		"introduce introduzca escribe escriba pega pegue ingresa ingrese proporcione indica envia " +
		"eingeben gib geben trage eintragen nenne nennen schick sende " +
		"entrez saisissez saisir tapez collez indiquez donnez fournissez envoyez")

var secretNegations = set("not never dont without no nao nunca jamais sem sin nicht nie niemals kein keine keinen ohne ne pas sans") //nolint:gochecknoglobals // a table

// secretBlockers before the name say that the phrase is about something else.
var secretBlockers = set( //nolint:gochecknoglobals // a table
	"max maximum min minimum number num count total many much how amount length long limit per which whose whether when where why who " +
		"name path location place id ids identifier kind type format label title expiry rotation policy rules rule age owner hint hash " +
		"reset resets forgot forget forgotten lost change changes changed rotate rotates rotated revoke revoked renew expire expired show hide mask store stored stores keep kept use uses using remove delete rename disable enable check checks allow require " +
		"about to of for from in on with by if than as that without link reference ref vault public " +
		"politica tamanho comprimento numero quantidade nome redefinir redefinicao esqueci alterar mudar onde qual quantos quantas maximo minimo publica validade " +
		"longitud cantidad nombre restablecer restablecimiento olvide cambiar donde cual cuantos cuantas " +
		"anzahl lange name wo welche welcher wie viele zurucksetzen vergessen andern offentlicher richtlinie ablauf " +
		"politique longueur nombre nom reinitialiser reinitialisation oublie changer ou quel quelle combien publique")

// secretBlockersOf one name make it something else again.
var secretBlockersOf = map[string]map[string]bool{ //nolint:gochecknoglobals // a table
	"token":       set("stop start end separator pad eos bos next page pagination continuation design cancellation csrf syntax word lexer board game special unknown sync"),
	"secret":      set("trade open family"),
	"card number": set("story board trello kanban playing sim library index task"),
	"credentials": set("press professional academic"),
}

// phrases splits each into its words.
func phrases(all ...string) [][]string {
	out := make([][]string, len(all))
	for i, p := range all {
		out[i] = strings.Fields(p)
	}
	return out
}

func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}
