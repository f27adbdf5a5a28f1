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
	byEmail *sql.Stmt
}

func newUserStore(db *sql.DB) (*userStore, error) {
	byEmail, err := db.Prepare("SELECT email, first, last, city, county, age FROM users WHERE email = ?")
	if err != nil {
		return nil, err
	}
	return &userStore{byEmail}, nil
}

// find returns the user with that email, or sql.ErrNoRows.
func (s *userStore) find(ctx context.Context, email string) (user, error) {
	// Without a limit, a request waits for ever for a connection to a database that does not answer.
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var u user
	err := s.byEmail.QueryRowContext(ctx, email).
		Scan(&u.Email, &u.First, &u.Last, &u.City, &u.County, &u.Age)
	return u, err
}

func showUser(tokens *verifier, users *userStore) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		email, err := tokens.email(r)
		if err != nil {
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
			return
		}
		found, err := users.find(r.Context(), email)
		if errors.Is(err, sql.ErrNoRows) {
			http.NotFound(w, r)
			return
		}
		if err == nil {
			err = writeJSON(w, http.StatusOK, found)
		}
		if err != nil {
			log.Print(err)
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		}
	}
}

// writeJSON answers with a value, or returns why it has no JSON form.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// Encode ends with a line feed, which is not part of the answer. A failed write means that the client is gone.
	_, _ = w.Write(bytes.TrimSuffix(body.Bytes(), []byte("\n")))
	return nil
}
