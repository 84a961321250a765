package validate_test
import ("testing";"fmt";"reflect";"time";"net/netip";"github.com/cloudg/mcplayer/validate")
type Out struct { A int `json:"a"`; B *Tree `json:"b"`; C []string `json:"c"`; D time.Duration `json:"d"`; RD string `json:"raw_data"`; E netip.Addr `json:"e"`; F *int `json:"f,omitempty"`; G any `json:"g"`}
func TestOut(t *testing.T){
 for _, x := range []any{Out{}, []int{}, "", 1, &Out{}, map[string]int{}, time.Now(), time.Second, Tree{}, &Tree{}, []byte{}, netip.Addr{}, struct{}{}} {
  s,w,e := validate.Output(reflect.TypeOf(x), nil); fmt.Printf("%T %s %v %v\n", x, s,w,e)
 }
}
