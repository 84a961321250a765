package scan

import "strings"

// ibanLengths holds the countries and the length of their account numbers (SWIFT, "IBAN
// Registry").
const ibanLengths = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
	"ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 " +
	"LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 " +
	"RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 "

const maxIBAN = 34

// iban: an account number with the length of its country and a right checksum (ISO
// 13616-1, ISO 7064 MOD 97-10), in one run or in groups of four.
func (l *lexer) iban(w word) {
	if w.len() < 4 || !isIBANHead(l.text[w.start:w.start+4]) {
		return
	}
	at := strings.Index(ibanLengths, string(l.text[w.start:w.start+2]))
	if at < 0 || at%5 != 0 {
		return
	}
	size := int(ibanLengths[at+2]-'0')*10 + int(ibanLengths[at+3]-'0')
	var s [maxIBAN]byte
	end, ok := l.ibanText(w.start, s[:size])
	if ok && !isAlnum(l.at(end)) && mod97(s[:size]) == 1 {
		l.add(IBAN, IBANEntity, w.start, end)
	}
}

func isIBANHead(s []byte) bool {
	return all(s[:2], classLarge) && all(s[2:], classDigit)
}

// ibanText reads the capital letters and digits at i into s.
func (l *lexer) ibanText(i int, s []byte) (end int, ok bool) {
	grouped := l.at(i+4) == ' '
	for n := range s {
		if grouped && n > 0 && n%4 == 0 {
			if l.at(i) != ' ' {
				return 0, false
			}
			i++
		}
		c := l.at(i)
		if classes[c]&(classLarge|classDigit) == 0 {
			return 0, false
		}
		s[n] = c
		i++
	}
	return i, true
}

// mod97 returns the remainder with the first four at the end and letters as numbers.
func mod97(s []byte) (r int) {
	for i := range s {
		c := s[(i+4)%len(s)]
		if isDigit(c) {
			r = (r*10 + int(c-'0')) % 97
		} else {
			r = (r*100 + int(c-'A') + 10) % 97
		}
	}
	return r
}
