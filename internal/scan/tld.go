package scan

import "strings"

//go:generate go run gentld.go

// tldKind tells how sure a name is a host that ends in a top-level domain.
type tldKind uint8

const (
	noTLD   tldKind = iota
	sureTLD         // it is
	wordTLD         // two labels are as likely a member in source code: user.id
	fileTLD         // it is as likely the name of a file: app.sh
)

// genericTLDs are the common ones of the IANA Root Zone Database but those that source
// code uses as names (name, host, email, run), privateTLDs those of private networks.
const (
	genericTLDs = "com net org edu gov mil int info biz pro mobi dev app cloud online site website shop store tech xyz club agency " +
		"digital solutions software hosting news blog space asia arpa aws museum travel jobs academy company consulting systems " +
		"network finance bank health london berlin nyc tokyo paris wiki"
	privateTLDs = "internal local localdomain lan corp intra"
	fileTLDs    = "cc md mk ml pm ps py rs sh so"
	wordTLDs    = "am an as id in is la my pl do"
)

const maxTLD = 12

// topLevels holds the domains by their name in lower case.
var topLevels = func() map[string]tldKind {
	table := map[string]tldKind{}
	add := func(kind tldKind, list string) {
		for tld := range strings.FieldsSeq(list) {
			table[tld] = kind
		}
	}
	add(sureTLD, countryTLDs+genericTLDs+" "+privateTLDs)
	add(fileTLD, fileTLDs)
	add(wordTLD, wordTLDs)
	return table
}()

// topLevel returns what kind of top-level domain a label is. One that is written with a
// capital is the first word of a sentence.
func topLevel(label []byte) tldKind {
	if len(label) > maxTLD {
		return noTLD
	}
	if all(label, classSmall) {
		return topLevels[string(label)]
	}
	if !all(label, classLarge) {
		return noTLD
	}
	var lower [maxTLD]byte
	for i, c := range label {
		lower[i] = c | 0x20
	}
	return topLevels[string(lower[:len(label)])]
}

// isPrivateTLD reports whether a label is the top-level domain of private networks.
func isPrivateTLD(label []byte) bool {
	for tld := range strings.FieldsSeq(privateTLDs) {
		if equalFold(label, tld) {
			return true
		}
	}
	return false
}
