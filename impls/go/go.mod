module backend

go 1.26.0

toolchain go1.27.4

require (
	github.com/go-sql-driver/mysql v1.10.1
	github.com/golang-jwt/jwt/v5 v5.3.1
)

require filippo.io/edwards25519 v1.2.0 // indirect
