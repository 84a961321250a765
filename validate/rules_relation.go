package validate

// relationRules compare a field with another one. What is compared is said with the name that the caller uses;
// no schema can say it.
var relationRules = map[string]rule{
	"eqfield":  {kAny, fieldParam, TypeRelation, relation("must be the same as "), nil},
	"nefield":  {kAny, fieldParam, TypeRelation, relation("must differ from "), nil},
	"gtfield":  {kOrdered, fieldParam, TypeRelation, compared("must be greater than ", "must be after "), nil},
	"gtefield": {kOrdered, fieldParam, TypeRelation, compared("must be at least ", "must not be before "), nil},
	"ltfield":  {kOrdered, fieldParam, TypeRelation, compared("must be less than ", "must be before "), nil},
	"ltefield": {kOrdered, fieldParam, TypeRelation, compared("must be at most ", "must not be after "), nil},

	"eqcsfield":  {kAny, topParam, TypeRelation, relation("must be the same as "), nil},
	"necsfield":  {kAny, topParam, TypeRelation, relation("must differ from "), nil},
	"gtcsfield":  {kOrdered, topParam, TypeRelation, compared("must be greater than ", "must be after "), nil},
	"gtecsfield": {kOrdered, topParam, TypeRelation, compared("must be at least ", "must not be before "), nil},
	"ltcsfield":  {kOrdered, topParam, TypeRelation, compared("must be less than ", "must be before "), nil},
	"ltecsfield": {kOrdered, topParam, TypeRelation, compared("must be at most ", "must not be after "), nil},

	"fieldcontains": {kString, fieldParam, TypeRelation, relation("must contain the text of "), nil},
	"fieldexcludes": {kString, fieldParam, TypeRelation, relation("must not contain the text of "), nil},

	"postcode_iso3166_alpha2_field": {kString, fieldParam, TypeRelation, relation("must be a postcode of the country in "), nil},
}

func relation(verb string) func(use) string { return func(u use) string { return verb + u.other } }

func compared(verb, times string) func(use) string {
	return func(u use) string {
		if u.kind == kTime {
			return times + u.other
		}
		if u.kind&(kList|kMap) != 0 {
			return verb + u.other + " in length"
		}
		return verb + u.other
	}
}
