package scan_test

var secretCases = map[string][]string{
	"private_key": {
		"«-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----»\n", "key=«-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----»;", "«-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl»", "«-----BEGIN EC PRIVATE KEY-----»",
		"«-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ\n-----END PGP PRIVATE KEY BLOCK-----» x", `"«-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----»"`, "«-----BEGIN ENCRYPTED PRIVATE KEY-----\nx\n-----END ENCRYPTED PRIVATE KEY-----»",
		"鍵«-----BEGIN PRIVATE KEY-----x-----END PRIVATE KEY-----»です", "«-----BEGIN DSA PRIVATE KEY-----x-----END DSA PRIVATE KEY-----»«-----BEGIN PRIVATE KEY-----y-----END PRIVATE KEY-----»", "x«-----BEGIN PRIVATE KEY-----\n»", "a-----BEGIN CERTIFICATE-----\n«-----BEGIN PRIVATE KEY-----\nx»",
		"«-----BEGIN RSA PRIVATE KEY-----\nx\n-----END»",
		"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\nMIIE", "-----BEGIN RSA PUBLIC KEY-----", "BEGIN PRIVATE KEY", "-----BEGIN PRIVATE KEY", "----BEGIN PRIVATE KEY----", "private key", "-----END PRIVATE KEY-----",
		"-----begin private key-----", "-----BEGIN PGP MESSAGE-----\nx", "-----BEGIN PGP PUBLIC KEY BLOCK-----", "[REDACTED:private_key]", "-----BEGIN-----", "-----BEGIN \nPRIVATE keys-----",
	},
	"jwt": {
		"«ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl»", "Bearer «ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl».", "token=«ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln_mF0-XJl»&x", "\"«ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl»\"",
		"«ey¦JhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0.»", "(«ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl»)", "«ey¦JhbGciOiJSU0EifQ.OKOawDo13gRp2ojaHV7.48V1_ALb6US04U3b.5eym8TW_c8SuK.XFBoMYUZod»", "/cb/«ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln»/x",
		"証«ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln»です", `\n«ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln»`, "a:«ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln»", "«ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln» «ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM1In0.c2ln»",
		"ey¦JhbGciOiJIUzI1NiJ9", "ey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0", "ey¦JhbGciOiJIUzI1NiJ9.abcdefgh.c2ln", "eyJ.eyJ.x", "xey¦JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln", "eyjhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln", "a.b.c", "ey¦JhbGciOiJIUzI1NiJ9 .eyJzdWIiOiIxMjM0In0.c2ln",
		"[REDACTED:jwt]", "jwt:0123456789ab", "ey¦JhbGciOiJIUzI1NiJ9..eyJzdWIiOiIxMjM0In0", "eyJhbG.eyJzdW.c2ln",
	},
	"url_credentials": {
		"postgres://app:«s3cret»@db:5432/x", "https://ada:«pw»@example.com/", "redis://:«s3cret»@host", "x amqp://guest:«guest1»@mq, y", "https://u:«p%40ss»@h", "mongodb+srv://app:«s3cret»@c.example.net/?x=1", "\"ftp://u:«p4ss»@h\"",
		"https://u:«p@ss»@h/", "https://u:«a:b»@h/", "https://u:«pa,ss;w»@h/", "https://u:«p4ss»@[::1]:80/", "https://u:«p4ss»@10.0.0.1/", "接続 https://u:«p4ss»@h です", "jdbc:mysql://u:«p4ss»@${HOST}/x", "https://[REDACTED:url_username]:«p4ss»@h",
		"https://example.com/", "https://ada@example.com", "https://example.com:8080/x@y", "https://h:80?x=a@b", "https://u:@h", "https://u:[REDACTED:password]@h", "https://u:${PASSWORD}@h", "https://u:***@h", "https://u:****cret@h", "https://u:<password>@h",
		"https://u:password:0123456789ab@h", "u:p@h", "https://[REDACTED:url_username]:[REDACTED:password]@h", "https://u:{{password}}@h", "https://u:p4ss@", "mailto:a:b@c.example", "https://u:xxxx@h",
	},
	"connection_string_secret": {
		"Server=db;User Id=app;Password=«s3cret»;Database=x", "Server=db;Pwd=«s3cret»", "AccountName=x;AccountKey=«abcd1234==»;EndpointSuffix=y", "SharedAccessKeyName=Root;SharedAccessKey=«abcd1234=»", "Endpoint=sb://x/;SharedSecret=«s3cret»", "ClientSecret=«s3cret»",
		"\"Server=db;Password=«s3cret»\"", "password=«s3cret»;", "Server=db; Password=«s3cret»", "Server=db;Password = «s3cret»;", "PWD=«s3cret»;UID=sa", "接続Server=db;Password=«s3cret»;です", "<add value=\"Server=db;Password=«s3cret»\"/>", "AccountKey=«abcd1234+/x=»",
		"Password=s3cret", "Server=db;Password=;", "Server=db;Password=[REDACTED:password];", "Server=db;Password=${PW};", "Server=db;Password=****cret;", "Server=db;PasswordHint=dog;", "Server=db;Passwords=abc;", "Server=db;NewPassword=abcd;", "AccountKeyName=abcd", "Password:s3cret;",
		"SharedAccessKeyName=Root", "Server=db;Password==abcd;", "pwd", "Server=db;Password=ab;", "Server=db;Password=password:0123456789ab;", "PWD=/home/ada",
	},
	"aws_secret_access_key": {
		"aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»", "AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»", `"SecretAccessKey": "«wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»",`, "aws secret: «wJalrXUtnFEMI7K7MDENGabPxRfiCYEXAMPLEKEY».",
		"secret access key «wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»", `\"aws_secret_access_key\": \"«wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»\"`, "<SecretAccessKey>«wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»</SecretAccessKey>", "export AWS_SECRET_KEY='«wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»'",
		"s3_secret=«wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»", "aws_secret_access_key:«wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»;x", "amazon secret «wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»", "鍵aws_secret_access_key=«wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY»です",
		"wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "secret wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "aws key wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "aws secret wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKE", "aws secret wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEYY",
		"aws secret 5d1f0c7ab2e94836c0d7e1a8f4b3925d6e7c8a90", "aws secret wJalrXUtnFEMI-K7MDENG_bPxRfiCYEXAMPLEKEY", "aws secret wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY==", "aws secret wjalrxutnfemi/k7mdeng+bpxrficyexamplekey", "aws secret [REDACTED:aws_secret_access_key]",
		"aws secret ************************************EKEY", "aws secret sha1-wJalrXUtnFEMI7K7MDENGabPxRfiCYEXAMP", "aws secret of the team that nobody knows but those in the know of it all: wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
	},
	"secret_assignment": {
		"password=«hunter22»", "password: «hunter22»", `"password": "«hunter 22»"`, `{\"password\": \"«hunter22»\"}`, "DB_PASSWORD='«hunter22»'", "mysql --password «hunter22» -u x", "mysql --password=«hunter22»", "<password>«hunter22»</password>", "?token=«abc123»&x=1", "password: «0123456789ab»", "password:«0123456789abc»", "api_key = «abc123»",
		"apiKey: '«abc123»',", "X-Api-Key: «abc123»", "client_secret=«abc123»", "botToken=«abc123»", "private_key: «abc123»", "passphrase := \"«abc def»\"", "password => \"«hunter22»\"", "token: Bearer «abc123»", "password: «123456»", `"password":«123456»}`, "password=«p@ss:w0rd!»",
		"私のpassword=«hunter22»", "password=«hunter22».", "password=«pa$$w0rd»;next", "bearer=«abc123»", "password: «hunter» # old", "PASSWORD=«correcthorse»", "{password: «hunter22», user: x}", "password = \"«it's \\\" it»\"", "user=x&password=«a,b»", "--db-password '«hunter 22»'",
		"config.password = \"«hunter22»\"", "$a['password'] = '«hunter22»';", "access_token:«abc123»", "password=«[abc»", "password=«${abc»", "const token: string = \"«abc123»\"", "<ns:password>\n «hunter22»\n</ns:password>", "password=«hunter22»\\nuser=x", "openai_api_key=«abc123»",
		"token=«abctoken=def»",
		"password=", "password: none", "password: null", "password=true", "password: <password>", "password=${PASSWORD}", "password={{pw}}", "password=[REDACTED:secret_value]", "password=****", "password=****er22", "password=hunt****er22", "password=secret_value:0123456789ab", "password:0123456789ab", "api_token:0123456789ab", "password: xxx",
		"password: string", "token_count: 1834, max_tokens: 4096", "SECRET_NAME = \"ORDERS-DB-API-KEY\"", "rowKey=T207-QX-ARRIVAL keyword=Zustand_K4", "key=value&sort=asc", "next_token=abc123", "page_token: abc123", "continuationToken=abc123", "password: see below", "turkey=abc123",
		"the secret: never give up", "password == other", "token::value", "secret://vault/x", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCdEf", "token = getToken()", "password = os.environ[\"X\"]", "secret: process.env.SECRET", "password: {", "password_hash=abc123",
		"use --password to set it", "the <token> is", "password=n/a", "tokenizer: abc", "public_key = abc", "password: required", "password=ab", "passwords: many", "hockeytoken=abc123", "password != abc123",
	},
	"authorization_header": {
		"Authorization: Bearer «abcdef1234567890»", "authorization: basic «dXNlcjpwYXNzd29yZA==»", "Bearer «abcDEFghiJKLmnoPQR».", "-H 'Authorization: Bearer «abcdef1234567890»'", `"Bearer «abcdef1234567890»"`, "Authorization:Bearer «abcdef1234567890»", "BEARER «abcdef1234567890»,", "Bearer  «abcdef-1234_567.890~+/=»",
		"token=Bearer «abcdef1234567890»", "認証Bearer «abcdef1234567890»です", `\nBearer «abcdef1234567890»`, "Basic «QWxhZGRpbjpvcGVuIHNlc2FtZQ==»", "Bearer «abcdef1234567890» Bearer «abcdef1234567891»",
		"bearer of news", "Bearer token", "Bearer abcdef123456789", "Basic internationalization", "Bearer", "Bearer ", "Bearer [REDACTED:authorization_header]", "Bearer ****************", "Bearer authorization_header:0123456789ab", "forbearer abcdef1234567890", "Bearer\nabcdef1234567890", "Basic training is on Monday",
		"Bearer xxxxxxxxxxxxxxxxxxxx", "bearers abcdef1234567890", "Bearer: abcdef1234567890",
	},
	"high_entropy_secret": {
		"«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga»", "key \"«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga»\"", "x=«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0G+/==»;", "«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga».", "(«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga_-x»)", "a:«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga»", "鍵«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga»です",
		`\n«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga»`, "«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga=»", "«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga»,«Wt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga»", "?k=«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga»&x", "«Zq7-Lm3_Xw9Kb2Td5Rf8Hn4Pc6Js1Yv0Ga»",
		"Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0G", "vt8lq2zx5rm9kd3wb7hn4pc6js1yf0ga", "VtxLqyZxzRmaKdbWbcHndPceJsfYfgGa", "5d1f0c7ab2e94836c0d7e1a8f4b3925d6e7c8a90", "3F2B8C1E-9D4A-4E6B-8F70-1A2B3C4D5E6F", "3f2b8c1E-9d4a-4e6b-8f70-1a2b3c4d5e6f", "/Users/Alice/Documents/Report2024/final", "Aa1Aa1Aa1Aa1Aa1Aa1Aa1Aa1Aa1Aa1Aa1Aa1",
		"sha512-9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==", "SHA256:Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0GaVt8Lq2Zx5Rm", "SomeVeryLongCamelCaseIdentifierWithNumber42", "h1:Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0GaVt8Lq2Zx5Rm=",
		"[REDACTED:high_entropy_secret]", "high_entropy_secret:0123456789ab", "Vt8L****************************f0Ga", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
	},
}
