package untrusted

// role is what a word may be in the phrases that the detector knows.
type role uint64

const (
	rIgnore   role = 1 << iota // ignore, disregard, forget
	rOverride                  // override, bypass
	rFollow                    // follow
	rEarlier                   // previous, above
	rAll                       // all, every, system
	rYour                      // your
	rFill                      // the, of, these
	rKind                      // safety, own: before a noun
	rOrder                     // instructions, directives
	rRule                      // rules, commands: only with previous or your
	rGiven                     // given, told
	rYou                       // you
	rWhole                     // everything
	rNot                       // not, never, cannot
	rModal                     // could, may, to, which: what follows is no command
	rLead                      // and, please, must: what follows may be a command
	rNeed                      // need, have, want: before to
	rReveal                    // reveal, disclose
	rShow                      // print, repeat
	rSecret                    // keys, credentials
	rData                      // files, results
	rSend                      // send, upload, forward, leak
	rToward                    // to, at, via
	rURL                       // https, webhook
	rUser                      // user, human
	rName                      // assistant, model
	rGreet                     // dear, attention
	rDo                        // a command
	rMember                    // member, owner: what a person may be now
	rTell                      // tell, inform
	rArticle                   // a, an, the
	rMode                      // dan, unrestricted, mode names
	rUrge                      // please, you, must: what follows is a command
	rNow                       // now
	rIn                        // in
	rToolWord                  // tool
	rPrompt                    // prompt, message
	rAny                       // any, this
	rScope                     // api, private: before keys
	rHook                      // webhook
	rBare                      // not, alone
	rDoWord                    // do
	rOne                       // a, an: what follows is one of many
	rLet                       // let
	rKnow                      // know: behind let
	rBefore                    // before: of the place, or of something else
	rThis                      // this, now: behind before
	rUnsent                    // secrecy, proxy: forward is no verb before them
)

// vocabulary holds the words that matter, folded. Those of other languages are
// the ones of "ignore all previous instructions".
var vocabulary = newLexicon(map[role]string{
	rIgnore: `ignore ignoring disregard disregarding forget overlook neglect ignoriere ignorieren ignoriert ignorier
		ignorez ignorer ignora ignorar ignorate ignorad ignorem vergiss vergesse vergesst oublie oubliez olvida olvide
		dimentica dimenticate esqueca missachte attention`,
	rOverride: `override overrule bypass circumvent violate`,
	rFollow:   `follow following obey obeying`,
	rEarlier: `previous previously prior above earlier preceding foregoing past former original initial existing before
		vorherige vorherigen vorherigem vorangegangenen bisherige bisherigen vorigen obigen obige fruheren vorigem
		precedentes precedente precedents precedenti anteriores anterior anteriori previas previa`,
	rAll:  `all aii every system safety developer hidden alle aller allen toutes tous todas todos tutte tutti`,
	rYour: `your ur`,
	rFill: `the of these those this that our my and or any anything it its with as such from other current please now
		immediately completely totally just simply entirely me us to in for been were are have had has was die der deine
		ihre les las los le la des de tes vos tus sus gli os suas di e et und y qui que which so far here message`,
	rKind: `safety own core current existing initial original content ethical internal security system built inbuilt
		default developer hidden secret`,
	rOrder: `instruction instructions directive directives guideline guidelines programming training guardrails
		instructionset anweisung anweisungen instruktionen instrucciones istruzioni instrucoes consignes indicaciones
		vorgaben`,
	rRule: `rule rules command commands direction directions orders context constraint constraints restriction
		restrictions policies prompt prompts protocols regeln regles reglas regole regras befehle`,
	rGiven: `given told received gave instructed got`,
	rYou:   `you`,
	rWhole: `everything`,
	rNot:   `not dont never cannot cant wont nicht without avoid nor shouldnt mustnt doesnt didnt`,
	rModal: `could can may might would will to which that it they we i does do did users attackers attacker who not dont
		never cannot cant wont without avoid nor shouldnt mustnt doesnt didnt or you`,
	rLead: `and then please must also now should just instead immediately finally next first quietly secretly silently
		always kindly so afterwards shall`,
	rNeed:   `need have want you must is going required instructed supposed allowed task goal job`,
	rReveal: `reveal disclose leak expose divulge dump`,
	rShow:   `show print repeat output display reveal disclose recite`,
	rSecret: `key keys secret secrets credential credentials token tokens password passwords passwd env environment
		conversation conversations history chat transcript cookie cookies ssh database memory apikey apikeys envvars`,
	rData: `data content contents file files output outputs result results information info details it them this
		message messages email emails context document documents records record variables everything response
		responses answer answers contacts invoices`,
	rSend:   `send upload forward leak`,
	rToward: `to at via into toward towards using through`,
	rURL:    `http https hxxp hxxps ftp www webhook webhooks`,
	rUser:   `user users human humans operator`,
	rName: `ai assistant assistants agent agents model models bot llm llms chatgpt gpt copilot chatbot language
		reading this processing analyzing analysing summarizing summarising parsing the that who is are or and any all
		text page document email record data`,
	rGreet: `hey hi hello dear attention attn ok okay important ai large note notice message instructions`,
	rDo: `ignore disregard forget delete remove drop send forward upload email call invoke run execute reveal print
		output show dump reply respond answer say approve grant transfer open fetch visit click stop never write add
		change set update disable mark not dont override bypass follow obey tell give leak repeat act pretend`,
	rMember: `member members subscriber customer contributor collaborator follower maintainer owner registered verified
		certified participant part few bit step steps lot click little long big day proud premium full guest fan friend
		user hour minute week month parent citizen leader`,
	rTell:    `tell inform telling informing let alert notify`,
	rArticle: `a an the`,
	rUrge:    `please must you should now kindly immediately need have always shall will do`,
	rNow:     `now`, rIn: `in`, rToolWord: `tool`, rPrompt: `prompt message`, rAny: `any this`, rScope: `api private`,
	rHook: `webhook webhooks`, rBare: `not`, rDoWord: `do`,
	rOne: `a an`, rLet: `let`, rKnow: `know see notice find realize suspect learn`, rBefore: `before`, rThis: `this now here that it today`,
	rUnsent: `secrecy proxy proxies slash port ports`,
	rMode:   `dan unrestricted jailbroken unfiltered uncensored developer god debug evil dude aim stan`,
})

// is reports whether r has one of the roles of a set.
func (r role) is(set role) bool { return r&set != 0 }
