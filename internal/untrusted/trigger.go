package untrusted

import (
	"slices"
	"strings"
)

// rule is a way in which a text speaks to the model.
type rule uint8

const (
	ruleIgnore rule = iota
	ruleRole
	ruleNew
	rulePrompt
	ruleTemplate
	ruleTag
	ruleBracket
	ruleHeading
	ruleHide
	ruleTool
	ruleReveal
	ruleSend
	ruleURL // where ruleSend may hold
	ruleWord
	ruleAddress
	ruleFence
	ruleExtra // a pattern of the caller
)

// kinds are the names of the rules, as [Detector.Suspicious] returns them.
var kinds = [...]string{
	ruleIgnore:   "ignore_instructions",
	ruleRole:     "role_change",
	ruleNew:      "new_instructions",
	rulePrompt:   "system_prompt",
	ruleTemplate: "chat_template",
	ruleTag:      "pseudo_tag",
	ruleBracket:  "chat_template",
	ruleHeading:  "system_heading",
	ruleHide:     "hide_from_user",
	ruleTool:     "tool_call",
	ruleReveal:   "reveal_secrets",
	ruleSend:     "send_data",
	ruleURL:      "send_data",
	ruleWord:     "attack_term",
	ruleAddress:  "model_address",
	ruleFence:    "fence_mark",
	ruleExtra:    "extra_pattern",
}

// triggers lists, for each rule, the words without which it cannot hold. A rule is
// looked at only where one of them occurs, so a trigger that people rarely write
// costs nothing. A space in a trigger stands for any number of characters that
// are neither letters nor digits.
var triggers = map[rule]string{
	ruleIgnore: `ignor|disregard|forget|overlook|neglect|no attention to|vergiss|vergesse|oublie|olvid|dimentica|esqueca|missachte|
		overrid|overrule|bypass|circumvent|violate|not follow|dont follow|stop follow|not obey|dont obey|stop obey`,
	ruleRole:   `you are now|youre now|you re now`,
	ruleNew:    `new instruction`,
	rulePrompt: `system prompt|developer message`,
	ruleTemplate: `<im start|<im end|<im sep|<end of|<start of|<begin of|<start header|<end header|<eot id|<eom id|<python tag|
		<system|<user|<assistant|<developer|<tool|<function|<start|<end|<message|<channel|<return|<call|<constrain|<sys`,
	ruleTag: `<system|<assistant|<tool|<function|<instruction|<important instruction|
		lt system|lt assistant|lt tool call|lt function call|lt instruction`,
	ruleBracket: `[inst|[sys|[system`,
	ruleHeading: `#system|#instruction`,
	ruleHide:    `not tell|dont tell|never tell|without telling|not inform|dont inform|never inform|without informing|dont let|not let|never let`,
	ruleTool:    `call the|invoke the`,
	ruleReveal:  `reveal|disclose|divulge|leak|expose|dump|print your|repeat your|output your|show me your|show your|display your|recite your`,
	ruleSend:    `send|upload|forward|leak`,
	ruleURL:     `http|hxxp|ftp|www|webhook`,
	ruleWord:    `exfiltrat|jailbreak|jailbroken`,
	ruleAddress: `assistant|chatgpt|copilot|chatbot|language model|llm|gpt|ai agent|ai model|dear ai|hey ai|attention ai|note to ai|
		message to ai|instructions for ai|ai please|ai you must|ai ignore|ai disregard|ai delete|ai forward|ai upload|
		ai reveal|ai do not|ai execute|ai approve|ai send|ai call`,
	ruleFence: `untrusted`,
}

// trigger is one of them as the automaton sees it.
type trigger struct {
	rule  rule
	words int  // gaps inside it are natural
	word  bool // no letter may follow
	extra int  // the pattern of ruleExtra
}

// whole are the rules whose triggers are whole words.
var whole = []rule{rulePrompt, ruleTool, ruleReveal, ruleSend}

// compileTriggers returns the words for the automaton and what they stand for.
func compileTriggers() (words []string, list []trigger) {
	for r := range ruleExtra {
		for text := range strings.SplitSeq(triggers[r], "|") {
			parts := strings.Fields(text)
			words = append(words, strings.Join(parts, ""))
			list = append(list, trigger{rule: r, words: len(parts), word: slices.Contains(whole, r)})
		}
	}
	return words, list
}
