package scan_test

var tokenCases = map[string][]string{
	"github_token": {
		"«gh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»", "token «gh¦o_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6».", "«gh¦u_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»,", "(«gh¦s_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»)", "\"«gh¦r_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»\"",
		"https://«gh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»@github.com", "«gh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»«gh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC7»", "«git¦hub_pat_11ABCDEFG0aB3dE6gH9jK2_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6aB3dE6gH9jK2mN5pQ8rS1tU4»",
		"x=«gh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»&y", "鍵«gh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»です", `\n«gh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»`, "T_«gh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»", "«gh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6aB3dE6»",
		"ghp_short", "gh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC", "ghx_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6", "GH¦P_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6", "xgh¦p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6", "gh¦p-aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6", "ghp_", "git¦hub_pat_11ABC", "ghp_********************************bC6",
		"[REDACTED:api_token]", "api_token:0123456789ab", "gh¦p_aB3dE6gH9jK2mN5p Q8rS1tU4vW7xY0zA3bC6", "github_path_to_some_file",
	},
	"slack_token": {
		"«xox¦b-123456789012-abcdefABCDEF»", "token «xox¦p-123456789012-abcdefABCDEF».", "«xox¦a-2-123456789012-abcdefABCDEF»,", "(«xox¦r-123456789012-abcdefABCDEF»)", "\"«xox¦s-123456789012-abcdefABCDEF»\"", "«xapp¦-1-A0123456789-1234567890123-abcdef»", "x=«xox¦b-123456789012-abcdefABCDEF»&y",
		"鍵«xox¦b-123456789012-abcdefABCDEF»です", `\n«xox¦b-123456789012-abcdefABCDEF»`, "«xox¦e-123456789012-abcdefABCDEF»", "«xox¦b-123456789012-abcdefABCDEF» «xox¦b-123456789012-abcdefABCDEG»", "«xox¦c-123456789012-abcdefABCDEF»-", "«xox¦d-123456789012-abcdefABCDEF»%3D",
		"xoxb-", "xox¦b-12345-abc", "xoxz-123456789012-abcdefABCDEF", "XOX¦B-123456789012-abcdefABCDEF", "axox¦b-123456789012-abcdefABCDEF", "xoxb_123456789012_abcdefABCDEF", "xoxb-your-token-goes-here", "xoxb-****************CDEF", "[REDACTED:api_token]", "xoxo hugs and kisses", "xapp-config-for-the-front-end", "xoxb",
	},
	"google_api_key": {
		"«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v»", "key=«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v»&x", "«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v».", "(«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v»)", "\"«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v»\"", "«AI¦zaSy_1bC2dE3fG-hI5jK6lM7nO8pQ9rS0tU1v»",
		"鍵«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v»です", `\n«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v»`, "«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v»,«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1w»", "a:«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v»", "K/«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v»/x", "'«AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v»'",
		"AIza", "AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1", "AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1vv", "aizaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v", "xAI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v", "AI¦zaSyA1bC2dE3fG4hI5jK 6lM7nO8pQ9rS0tU1v", "AIza***********************************", "[REDACTED:api_token]", "AI¦zaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v_",
		"AI¦zaSyA1bC2dE3fG4hI5jK6.M7nO8pQ9rS0tU1v", "AI¦zbSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v", "Aiza spoke",
	},
	"stripe_key": {
		"«sk_¦live_abcdefghij0123456789»", "«sk_¦test_abcdefghij0123456789».", "«rk_¦live_abcdefghij0123456789»,", "(«rk_¦test_abcdefghij0123456789»)", "\"«whsec_¦abcdefghij0123456789abcdefghij01»\"", "x=«sk_¦live_abcdefghij0123456789»&y", "鍵«sk_¦live_abcdefghij0123456789»です", `\n«sk_¦live_abcdefghij0123456789»`,
		"«sk_¦live_abcdefghij0123456789» «sk_¦live_abcdefghij0123456788»", "a:«sk_¦live_abcdefghij0123456789»", "K_«sk_¦live_abcdefghij0123456789»", "«sk_¦live_abcdefghij0123456789»-", "«whsec_¦abcdefghij0123456789abcdefghij+/»",
		"sk_live_", "sk_¦live_short", "pk_¦live_abcdefghij0123456789", "SK_¦LIVE_abcdefghij0123456789", "ask_¦live_abcdefghij0123456789", "sk-live-abcdefghij0123456789", "sk_¦prod_abcdefghij0123456789", "whsec_¦short0123456789", "sk_live_****************6789", "[REDACTED:api_token]", "sk_¦live_abcdef ghij0123456789", "risk_test_of_something_long",
	},
	"azure_sas_signature": {
		"?sv=2024-01-01&sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h%3D»&se=x", "sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=»", "&sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z%2FA3bC6dE9%2BG2h%3D»", "SharedAccessSignature sr=x&sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h%3d»&se=1", "\"sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=»\"",
		"?sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h»", "Sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=» x", ";sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=»;", "署sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=»です", `\nsig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=»`, "sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=»#x",
		"(sig=«aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=»)",
		"sig=", "sig=abc", "sig=aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2", "design=aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=", "sig:aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=", "sig=[REDACTED:azure_sas_signature]", "sig = aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=", "sigx=aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=",
		"sig=***************************************fG2h", "sig=azure_sas_signature:0123456789ab", "x_sig=aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2h=", "sig=hello world",
	},
	"azure_storage_key": {
		"«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»", "AccountKey=«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»;x", "\"«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»\"",
		"«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0z+/bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==».", "(«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»)", "key: «9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»,",
		"鍵«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»です", `\n«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»`, "a:«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»", "<k>«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»</k>",
		"?k=«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»&x", "'«9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==»'",
		"sha512-9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==", "9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg=", "9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg", "9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC==",
		"x9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==", "9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0z-_bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==", "SHA512:9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==", "9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0z A1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg==",
		"[REDACTED:azure_storage_key]", "azure_storage_key:0123456789ab", "9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg===", "====",
	},
}
