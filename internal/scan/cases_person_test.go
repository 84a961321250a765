package scan_test

var personCases = map[string][]string{
	"email": {
		"«ada@example.com»", "to «a.b+c@mail.example.co.uk».", "<«ada@example.com»>", "mailto:«ada@example.com»?subject=x", "«a.one@example.com»,«b.two@example.org»;«c@example.net»",
		"«a@example.com»\r\n«b@example.com»", "連絡先«admin@example.com»まで", "«user@bücher.example»", "«jörg@example.com»", "«почта@пример.рф»", `\n«ada@example.com»`,
		"git clone «git@github.com»:org/repo", "«user-name_1@sub-domain.example.com»", "(«ada@example.com»)", "\"«ada@example.com»\"", "user=«ada@example.com»&x=1",
		"«ada@xn--bcher-kva.example»", "«o'hara@example.com»", "«ada@example.com»@x", "«ada%test@example.com»", "«ADA@EXAMPLE.COM»", "owner:«ada@corp.example»", "«x@münchen.de»",
		"«ada@example.com»)と«bob@example.com»", "«ada@example.xn--p1ai»", "«ada@example.com»_x",
		"@example.com", "ada@", "ada@example", "ada@localhost", "https://ada@example.com/", "ftp://u:pw@example.com", "ada@.com", "ada@example.c", "ada@10.0.0.1",
		"pkg@1.2.3", "a @ b.com", "ada@-example", "@user mentioned", "npm i left@1.0.0", "ada@@example", "ada@example.123", "x@y@z", "logo@2x.p",
	},
	"url_userinfo": {
		"https://«ada»@example.com/", "ftp://«ada»:pw@example.com", "ssh://«git»@github.com/x", "postgres://«app»:s3cret@db:5432/x", "x https://«a.b»@h, y", "amqp://«guest»:guest@mq",
		"redis://«default»:x1@10.0.0.1:6379", "git+ssh://«git»@host/x", "mongodb+srv://«app»:p%40ss@c.example.net", "\"https://«ada»@h\"", "https://«user%40corp»@h", "https://«ada»:@host/x",
		"見て https://«ada»@example.com です", "http://«ada»@[::1]/",
		"https://example.com/", "https://example.com/@ada", "https://example.com?x=a@b", "https://example.com#a@b", "ada@example.com", "mailto:ada@example.com", "redis://:pw@host",
		"https://@host", "://ada@host", "https:// ada@host", "https://[REDACTED:url_username]@host", "https://${USER}@host", "https://<user>@host", "https:/ada@host", "https://ada@",
		"https://***@host",
	},
	"credit_card": {
		"card «4111111111111111»", "«4111 1111 1111 1111»", "card «4111-1111-1111-1111».", "amex «3782 822463 10005»", "card:«6011111111111117»;next", "visa=«4111111111111111»&x",
		"pay by credit card no. «5555555555554444»", "(«5555 5555 5555 4444»)", "JCB «3530111333300000»", "cc «30569309025904»", `{"cardNumber":"«4111111111111111»"}`, "カード card «4111111111111111»です",
		"card «4222222222222»", "«2223 0031 2200 3222»", "«4111 1111 1111 1111» «5555 5555 5555 4444»",
		"at_millis=1750000000009", `{"done_at":"1718123456705"}`, "44875749-1186-4252-a3d1-7c0fe2b9d864", "snowflake 1812345678901234567", "shift(-0.5431672326865635%)",
		"order 4111111111111112", "4111111111111111", "card 4111111111111112", "card 411111111111111", "card 41111111111111111111", "4111 1111-1111 1111", "card 1234567890123452",
		"x4111111111111111", "card 4111111111111111a", "card 4111.1111.1111.1111", "discarded 4111111111111111", "«4111 1111 1111 1111» 1111 1111", "card ****1111", "card [REDACTED:credit_card]",
	},
	"iban": {
		"«DE89370400440532013000»", "«DE89 3704 0044 0532 0130 00».", "IBAN:«GB29NWBK60161331926819»", "«GB29 NWBK 6016 1331 9268 19»,", "«FR1420041010050500013M02606»", "«NL91ABNA0417164300»",
		"«BE68539007547034»", "«NO9386011117947»", "«CH9300762011623852957»", "(«ES9121000418450200051332»)", "iban=«IT60X0542811101000000123456»&x", "口座«DE89370400440532013000»です",
		"«MT84MALT011000012345MTLCAST001S»", "«DE89370400440532013000»/«NL91ABNA0417164300»",
		"DE88370400440532013000", "DE8937040044053201300", "DE893704004405320130000", "XX89370400440532013000", "de89370400440532013000", "DE89", "DE89 3704 0044", "ADE89370400440532013000",
		"DE8937040044053201300A", "GB29NWBK60161331926818", "DE89-3704-0044-0532-0130-00", "US12345678901234567890", "AKIAQ3EGRTYU7IOPASD2", "DE8X370400440532013000",
	},
	"phone": {
		"«+49 30 901820»", "call «+1 (555) 123-4567».", "tel:«+14155552671»", "«+442071838750»", "phone: «(555) 123-4567»", "Tel. «030 901820-12»", "mobile=«01701234567»", "fax «555-123-4567»,",
		"(«+41 44 668 18 00»)", "電話«+81-3-1234-5678»です", "«+33 1 23 45 67 89»", "«+49.30.901820»", "cell «4155552671»", "phoneNumber: «4155552671»",
		"+1", "+0123456789", "a+12345678", "123456789", "+1234", "+12345678901234567", "1+14155552671", "id 4155552671", "UTC+02:00", "2026-01-31", "phone: none", "microphone 4155552671",
		"+49 abc", "+1 2 3", "1e+10000000", "telemetry 12345678",
	},
	"us_ssn": {
		"SSN «123-45-6789»", "ssn: «123-45-6789»", "SSN=«123456789»", "social security number «123-45-6789».", "Social Security No. «123 45 6789»", "(SSN «123-45-6789»)", `{"ssn":"«123-45-6789»"}`,
		"ssn «899-99-9999»", "employee_ssn: «123-45-6789»", "employeeSSN «123-45-6789»", "SSN\t«001-01-0001»", "番号 SSN «123-45-6789»です", "ssn #«123-45-6789»,",
		"123-45-6789", "ssn 000-45-6789", "ssn 666-45-6789", "ssn 900-45-6789", "ssn 123-00-6789", "ssn 123-45-0000", "ssn 123-456-789", "ssn 1234567890", "ssn 123-45-67890", "ssn 1123-45-6789",
		"ssn 123-45 6789", "classname 123-45-6789", "ssn\n123-45-6789", "ssn 123-45-6789-1", "ssn ***-**-6789",
	},
}
