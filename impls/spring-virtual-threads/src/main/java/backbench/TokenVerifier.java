package backbench;

import java.nio.charset.StandardCharsets;

import io.jsonwebtoken.JwtException;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.security.Keys;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

@Component
public class TokenVerifier {

	private static final String SCHEME = "Bearer ";

	private final JwtParser parser;

	public TokenVerifier(@Value("${jwt.secret}") String secret) {
		// By default the parser accepts every HMAC that the key is long enough for.
		this.parser = Jwts.parser()
			.verifyWith(Keys.hmacShaKeyFor(secret.getBytes(StandardCharsets.UTF_8)))
			.sig()
			.clear()
			.add(Jwts.SIG.HS256)
			.and()
			.build();
	}

	public Caller verify(String authorization) {
		if (authorization == null || !authorization.startsWith(SCHEME)) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
		}
		try {
			String token = authorization.substring(SCHEME.length());
			String email = this.parser.parseSignedClaims(token).getPayload().get("email", String.class);
			if (email == null) {
				throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
			}
			return new Caller(email);
		}
		catch (JwtException | IllegalArgumentException ex) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED, null, ex);
		}
	}

}
