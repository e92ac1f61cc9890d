package loops

import (
	"regexp"
	"strings"
)

// The words by which an asker recommends, folded as plain does: English, Portuguese, Spanish, German, French.
//
// How a false alarm is avoided: the words alone prove nothing ("their preferred language", "the recommended daily dose",
// "show the best option first"). Three things do. A label: the word stands alone in brackets, or before a colon, or
// after a dash at the end of a title. A voice: "we", "I", or a verb that holds them, begins a clause and recommends; "the
// plan that we recommend" and "should we recommend" begin none, and what is recommended to customers is the product's
// doing. A verdict on an option: "option B is better". What stands between quotation marks is somebody else's voice.

// Labels that mark an answer in any text.
var strongLabels = words( //nolint:gochecknoglobals // a table
	`recommended|recommendation|advisable|best (?:choice|option|pick|answer|bet)|(?:top|our|my) (?:choice|pick|favou?rite|preference|recommendation)`,
	`recomendad[oa]|recomendacao|recomendavel|aconselhad[oa]|aconselhavel|(?:a )?melhor (?:opcao|escolha)|(?:nossa|minha) (?:escolha|recomendacao|preferencia)`,
	`recomendacion|recomendable|aconsejad[oa]|aconsejable|(?:la )?mejor (?:opcion|eleccion)|(?:nuestra|mi) (?:eleccion|recomendacion|preferencia)`,
	`empfohlen(?:e[rsnm]?)?|empfehlung|empfehlenswert|(?:die )?beste (?:wahl|option|losung)|(?:unsere?|meine?) (?:empfehlung|wahl|favorit)|ratsam`,
	`recommandee?|recommandation|conseillee?|(?:le )?meilleur choix|(?:la )?meilleure (?:option|solution)|(?:notre|mon|ma) (?:choix|recommandation|preference)`)

// Labels that only mark an answer when they stand beside a title.
var titleLabels = words( //nolint:gochecknoglobals // a table
	strongLabels,
	`preferred|suggested|suggestion|advised|favou?rite|better (?:choice|option)`,
	`preferid[oa]|preferencial|sugerid[oa]|sugestao`,
	`preferente|sugerencia`,
	`bevorzugt(?:e[rsnm]?)?|vorgeschlagen`,
	`preferee?|suggeree?`)

// Labels that mark an answer only in brackets beside a title.
var bracketLabels = words( //nolint:gochecknoglobals // a table
	titleLabels,
	`default|standard|best|better|ideal|optimal|winner|safest`,
	`padrao|melhor|otim[oa]|predeterminad[oa]|por defecto|mejor|optim[oa]`,
	`besser|beste[rs]?|par defaut|meilleure?|mieux`)

const (
	degree = `(?:(?:highly|strongly|clearly|very|most|the|our|my|is|muito|fortemente|altamente|mais|muy|mas|sehr|klar|dringend|ausdrucklich|von uns|fortement|vivement|le plus) )*`
	opens  = `[(\[{*<]\s*`
	closes = `[\s!*]*[)\]}*>]`

	clause = `(?:^[^a-z0-9"]*|[.!?:;,(]\s*| - |\b(?:and|but|so|therefore|thus|hence|however|also|then|personally|overall|mas|portanto|assim|por isso|pero|por eso|asi que|entonces|und|aber|daher|deshalb|et|mais|donc) )`
	modal  = `(?:(?:'d|'ll|would|do|strongly|highly|still|personally|also|therefore|clearly|really|definitely|can only|have to|not|don't|wouldn't) ?)*`
)

var (
	bracketMark      = regexp.MustCompile(opens + degree + strongLabels + `(?: (?:by us|option|choice|answer|opcao|opcion|wahl))?` + closes)
	bracketTitleMark = regexp.MustCompile(opens + degree + bracketLabels + closes)

	// "(score 0.93)", "[87 % confident]": an order by a score.
	scoreMark = regexp.MustCompile(opens + words(
		`(?:score|rank|confidence|confianca|confianza|konfidenz|confiance|pontuacao|puntuacion)\s*[:=]?\s*[0-9][0-9.,]*\s*%?`,
		`[0-9][0-9.,]*\s*%\s*(?:confiden[a-z]*|sure|sicher|match|confianca|confianza|confiance)`) + closes)

	// "Recommended: keep both", "Keep both - best choice", "Keep both, recommended", "Best choice", "B is the best choice".
	labelMark = regexp.MustCompile(words(
		`^\W*`+degree+titleLabels+`\s*(?:[:!]| - |$)`,
		`^\W*(?:best|better|melhor|mejor|besser|am besten|meilleur|mieux|ideal)\s*:`,
		`(?:[:;,|/~=>!.]| -+)\s*`+degree+titleLabels+`\W*$`,
		`\b(?:is|as|e|es|ist|est) (?:the |our |my |a |la |die |le )?`+strongLabels+`\W*$`))

	labelStart = regexp.MustCompile(clause + degree + strongLabels + `\s*:`)

	// Who recommends in a sentence of any form.
	advice = regexp.MustCompile(words(
		clause+words(
			`(?:we|i) ?`+modal+`(?:recommend|suggest|advise|prefer|favou?r|lean towards?|go (?:with|for)|opt for|vote for)\b`,
			`(?:we|i)(?: would|'d) (?:strongly |rather |personally )?(?:choose|pick)\b`,
			`(?:my|our) (?:strong |personal |clear )?(?:recommendation|suggestion|advice|preference|pick|favou?rite|opinion)(?: (?:is|would be)\b|\s*:)`,
			`in (?:my|our) (?:opinion|view)\b`,
			`(?:i|we) (?:think|believe|feel) (?:that )?(?:we|you|it) should\b`,
			`you should (?:choose|pick|select|accept|approve|go (?:with|for))\b`,
			`it(?: is|'s| would be) (?:highly |strongly )?(?:recommended|advisable|preferable|best) (?:to|that)\b`,
			`the (?:recommended|preferred|suggested|best|better) (?:option|choice|answer|approach|way|solution|alternative) (?:here )?(?:is|would be)\b`,
			`(?:eu )?(?:recomendo|recomendaria|sugiro|sugeriria|aconselho|aconselharia|prefiro|escolheria|optaria)\b`,
			`(?:na )?(?:nossa|minha) (?:recomendacao|sugestao|preferencia|opiniao)(?: (?:e|seria)\b|\s*[:,])`,
			`a melhor (?:opcao|escolha|solucao|resposta) (?:e|seria)\b`,
			`(?:yo )?(?:recomiendo|sugiero|aconsejo|aconsejaria|elegiria)\b`,
			`(?:en )?(?:nuestra|mi) (?:recomendacion|sugerencia|preferencia|opinion)(?: (?:es|seria)\b|\s*[:,])`,
			`la mejor (?:opcion|eleccion|solucion|respuesta) (?:es|seria)\b`,
			`(?:wir|ich) (?:empfehlen?|bevorzugen?|favorisieren?|raten? (?:zu[mr]?|dazu|davon))\b`,
			`(?:wir|ich) (?:wurden?|mochten?) (?:[a-z0-9 -]+ )?(?:empfehlen|wahlen|bevorzugen|vorschlagen)\b`,
			`(?:wir|ich) schlagen? (?:[a-z ]+ )?vor\b`,
			`es (?:wird|ist) (?:dringend |sehr )?(?:empfohlen|empfehlenswert|ratsam)\b`,
			`(?:unsere?|meine?) (?:empfehlung|vorschlag|praferenz)(?: (?:ist|ware|lautet)\b|\s*:)`,
			`(?:meiner|unserer) (?:meinung|ansicht) nach\b`,
			`die beste (?:wahl|option|losung|antwort) (?:ist|ware)\b`,
			`nous (?:vous )?(?:recommandons|recommanderions|conseillons|suggerons|preferons|preconisons|opterions)\b`,
			`je (?:vous )?(?:recommande|recommanderais|conseille|conseillerais|suggere|prefere|preconise|choisirais|opterais)\b`,
			`on (?:vous )?recommande\b`,
			`il est (?:vivement |fortement )?(?:recommande|conseille|preferable) (?:de\b|d'|que\b)`,
			`il vaut(?:drait)? mieux\b`,
			`(?:notre|ma) (?:recommandation|suggestion|preference)(?: (?:est|serait)\b|\s*:)`,
			`a (?:notre|mon) avis\b`,
			`(?:le meilleur choix|la meilleure (?:option|solution|reponse)) (?:est|serait)\b`),
		`\b(?:option|choice|variante?|alternative|opcao|opcion|version) *(?:""|[a-z0-9]{1,2}) +(?:is|seems|would be|e|es|ist|ware|est|parece|semble) (?:clearly |much |by far |the |a |la |die |le |claramente |deutlich |klar |nettement |muito |mucho )*(?:better|best|preferable|superior|recommended|melhor|preferivel|mejor|preferible|besser|beste|empfehlenswert|meilleure?)\b`))

	// Who recommends, unless the sentence is a question: there the same words ask whether to.
	inverted = regexp.MustCompile(words(
		clause+words(
			`(?:nos |nosotros )?(?:nao |no )?(?:lhe |vos |os |le |les |te )?(?:recomendamos|sugerimos|aconselhamos|aconsejamos|preferimos)\b`,
			`(?:nao )?(?:recomenda-se|se recomienda|se aconseja)\b`,
			`(?:nao )?e (?:altamente |fortemente )?(?:recomendado|recomendavel|aconselhavel|preferivel) (?:que|[a-z]+[aei]r)\b`,
			`(?:no )?es (?:muy )?(?:recomendable|aconsejable|preferible|mejor) (?:que|[a-z]+[aei]r)\b`),
		`\b(?:empfehlen|bevorzugen) wir\b`, `\b(?:empfehle|bevorzuge|wurde) ich (?:[a-z0-9 -]+ )?(?:empfehlen|wahlen)?`))

	// A question about recommending.
	asksAboutAdvice = regexp.MustCompile(`^\W*(?:should|do|does|did|may|can|could|would|will|shall|must|is|are|when|what|which|how|why|where|who|whom|whether|` +
		`devemos|deveriamos|podemos|o que|qual|quais|quando|como|por que|sera que|debemos|deberiamos|que|cual|cuales|cuando|donde|` +
		`sollen|soll|sollten|wollen|durfen|was|wie|welche[rsnm]?|wann|warum|wo|ob|` +
		`devons-nous|doit-on|faut-il|faudrait-il|quels?|quelles?|quand|comment|pourquoi|est-ce)\b[^?]*\?$`)

	// What the product does for its own people.
	advicePractice = regexp.MustCompile(words(
		`(?:recommend|suggest|prefer) (?:them|him|her|`+people+`)\b`,
		`(?:recommend|suggest|advise)\b[^.,;:]{0,40} to (?:[a-z]+ )?`+people+`\b`,
		`\b(?:best|recommended|preferred|suggested) [a-z]+ is (?:always |still |now |then |currently |not |already )*(?:shown|displayed|listed|marked|highlighted|hidden|chosen|sorted|placed|put|sent|computed|explained|described|printed|offered)\b`,
		`(?:empfehlen|schlagen) wir (?:ihm|ihr|ihnen|`+people+`|[a-z]+ `+people+`)\b`, `wir (?:ihm|ihr|ihnen) `, `wir empfehlen (?:ihm|ihnen|[a-z]+ ?`+people+`)\b`,
		`(?:recomendamos|sugerimos|aconselhamos|aconsejamos)\b[^.,;:]{0,40} (?:a|ao|aos|as|a los|a las|al|para) (?:[a-z]+ )?`+people+`\b`, `(?:lhes|les) (?:recomendamos|sugerimos)`,
		`nous (?:leur|lui) `, `(?:recommandons|suggerons|conseillons)\b[^.,;:]{0,40} (?:a|au|aux) (?:[a-z]+ )?`+people+`\b`))
)

const people = `(?:customers?|users?|visitors?|readers?|people|guests?|members?|clients?|buyers?|shoppers?|patients?|everybody|everyone|newcomers?|` +
	`clientes?|usuarios?|utilizadores|leitores|lectores|visitantes|pessoas|personas|pacientes|` +
	`kunden|kundinnen|nutzern?|besuchern?|lesern?|leuten?|personen|` +
	`utilisateurs?|visiteurs?|lecteurs?|personnes?)`

// adviceStems are parts of which every label and every voice above has one: a cheap look before the patterns.
var adviceStems = strings.Split( //nolint:gochecknoglobals // a table
	"recom,lean,vote,bess,sugg,suger,sugir,sugest,advi,prefer,preconis,favo,go with,go for,opt for,opter,optar,pick,choos,choi,best,better,opini,my view,our view,should,"+
		"empf,vorsch,schlag,bevorz,wahl,losung,rate,ratsam,meinung,ansicht,consej,aconsel,consei,melhor,mejor,meilleur,mieux,avis,escolh,eleg,elec,superior,ideal,top", ",")

const starGlyphs = "⭐🌟★☆✪✯✨🏆🥇👑💯🔝*"

var starCodes = []string{":star:", ":star2:", ":trophy:", ":first_place_medal:", ":crown:", ":100:", ":sparkles:", ":top:"} //nolint:gochecknoglobals // a table

// words is one of the alternatives.
func words(alternatives ...string) string { return "(?:" + strings.Join(alternatives, "|") + ")" }
