package main

import (
	"errors"
	"net/http"

	"github.com/golang-jwt/jwt/v5"
	"github.com/golang-jwt/jwt/v5/request"
)

var errNoEmail = errors.New("token has no email")

// A verifier verifies bearer tokens that were signed with one secret.
type verifier struct {
	secret []byte
	parser *jwt.Parser
}

func newVerifier(secret string) *verifier {
	return &verifier{
		secret: []byte(secret),
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Name}),
			// Without it, a token whose exp is 0 never expires.
			jwt.WithExpirationRequired(),
		),
	}
}

// email returns whose token a request carries, or what is wrong with it.
func (v *verifier) email(r *http.Request) (string, error) {
	// A map, because the fields of a struct match keys without regard to case: EMAIL is not the claim email.
	claims := jwt.MapClaims{}
	_, err := request.ParseFromRequest(r, request.BearerExtractor{}, v.key,
		request.WithParser(v.parser), request.WithClaims(claims))
	if err != nil {
		return "", err
	}
	email, ok := claims["email"].(string)
	if !ok {
		return "", errNoEmail
	}
	return email, nil
}

func (v *verifier) key(*jwt.Token) (any, error) {
	return v.secret, nil
}
