package main

import (
	"log"
	"net/http"
	"strconv"
	"time"
)

type delayed struct {
	Delayed int `json:"delayed"`
}

func answerLate(w http.ResponseWriter, r *http.Request) {
	milliseconds, err := strconv.Atoi(r.PathValue("ms"))
	if err != nil || milliseconds < 0 {
		http.NotFound(w, r)
		return
	}
	select {
	case <-time.After(time.Duration(milliseconds) * time.Millisecond):
	case <-r.Context().Done():
		return
	}
	if err := writeJSON(w, http.StatusOK, delayed{milliseconds}); err != nil {
		log.Print(err)
	}
}
