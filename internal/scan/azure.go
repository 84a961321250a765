package scan

const (
	subscriptions = "/subscriptions/"
	maxPath       = 1024
	maxLabel      = 24 // of what tells what a GUID is
)

// azureID: /subscriptions/GUID/ and at least one further segment, in any case (Azure
// Resource Manager, "Understand resource IDs").
func (l *lexer) azureID(i int) {
	if !l.runs[AzureResourceID] || i < l.until[longAzure] || !hasPrefixFold(l.text[i:], subscriptions) {
		return
	}
	guid := i + len(subscriptions)
	if guid+37 >= len(l.text) || !isUUID(l.text[guid:guid+36]) || l.text[guid+36] != '/' {
		return
	}
	if end := l.pathEnd(guid + 37); end > guid+37 {
		l.until[longAzure] = end
		l.add(AzureResourceID, AzureResourceEntity, i, end)
	}
}

// pathEnd returns where the path at i ends, without what ends a sentence or closes a
// bracket that was not opened in it.
func (l *lexer) pathEnd(i int) int {
	start, open := i, 0
	for ; i < len(l.text) && i-start < maxPath; i++ {
		switch c := l.text[i]; c {
		case '(':
			open++
			continue
		case ')':
			open--
			if open >= 0 {
				continue
			}
		case '-', '_', '.', '/', '%', '@', '+', ':', '~', '$', '!', '*':
			continue
		default:
			if isAlnum(c) {
				continue
			}
		}
		break
	}
	l.work += i - start
	for i > start && (isTail(l.text[i-1]) || l.text[i-1] == '(') {
		i--
	}
	return i
}

// subscriptionRef: a GUID behind a word that tells that it is a subscription or a tenant,
// as "subscriptionId": or /subscriptions/ do.
func (l *lexer) subscriptionRef(start, end int) {
	if !l.runs[AzureSubscriptionRef] {
		return
	}
	i := start
	for i > 0 && start-i < 8 && isAside(l.text[i-1]) {
		i--
	}
	if i == start {
		return
	}
	for _, label := range azureLabels {
		if at, ok := endsInWord(l.text[max(0, i-maxLabel):i], label.text); ok && apart(l.text[max(0, i-maxLabel):i], at) {
			l.add(AzureSubscriptionRef, label.entity, start, end)
			return
		}
	}
}

var azureLabels = [...]struct {
	text   string
	entity Entity
}{
	{"subscriptions", AzureSubscription},
	{"subscription", AzureSubscription},
	{"subscriptionid", AzureSubscription},
	{"subid", AzureSubscription},
	{"tenant", AzureTenant},
	{"tenants", AzureTenant},
	{"tenantid", AzureTenant},
	{"directoryid", AzureTenant},
	{"microsoftonline.com", AzureTenant},
}

// isAside reports whether a byte may stand between a name and its value.
func isAside(c byte) bool {
	return isBlank(c) || isQuote(c) || c == ':' || c == '=' || c == '/' || c == '\\' || c == '(' || c == '>'
}
