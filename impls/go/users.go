package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"time"
)

type user struct {
	Email  string  `json:"email"`
	First  *string `json:"first"`
	Last   *string `json:"last"`
	City   *string `json:"city"`
	County *string `json:"county"`
	Age    *int    `json:"age"`
}

type userStore struct {
	find *sql.Stmt
}

func newUserStore(db *sql.DB) (*userStore, error) {
	find, err := db.Prepare("SELECT email, first, last, city, county, age FROM users WHERE email = ?")
	if err != nil {
		return nil, err
	}
	return &userStore{find}, nil
}

func (s *userStore) Close() error {
	return s.find.Close()
}

// Find returns the user with that email, or sql.ErrNoRows.
func (s *userStore) Find(ctx context.Context, email string) (user, error) {
	var u user
	err := s.find.QueryRowContext(ctx, email).
		Scan(&u.Email, &u.First, &u.Last, &u.City, &u.County, &u.Age)
	return u, err
}

func showUser(users *userStore) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Without a limit, a request waits for ever for a connection to a database that does not answer.
		ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
		defer cancel()
		found, err := users.Find(ctx, callerEmail(ctx))
		if errors.Is(err, sql.ErrNoRows) {
			http.NotFound(w, r)
			return
		}
		if err != nil {
			log.Print(err)
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
			return
		}
		writeJSON(w, found)
	})
}

func writeJSON(w http.ResponseWriter, value any) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		log.Print(err)
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	// Encode ends with a line feed, which is not part of the answer; a failure to write is the client's going.
	_, _ = w.Write(bytes.TrimSuffix(body.Bytes(), []byte("\n")))
}
