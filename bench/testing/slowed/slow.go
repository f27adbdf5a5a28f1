package main

import (
	"log"
	"net/http"
	"os"
	"runtime"
	"strconv"
)

// slow multiplies BURN_STEPS times before each request, each time what came of the last: a step of MurmurHash3's mixer,
// which no compiler can take several of at once.
func slow(next http.Handler) http.Handler {
	steps, err := strconv.Atoi(os.Getenv("BURN_STEPS"))
	if err != nil {
		log.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		product := uint64(3)
		for range steps {
			product = (product ^ product>>33) * 0xff51_afd7_ed55_8ccd
		}
		runtime.KeepAlive(product)
		next.ServeHTTP(w, r)
	})
}
