package backbench;

import reactor.core.publisher.Mono;

import org.springframework.data.repository.Repository;

public interface UserRepository extends Repository<User, String> {

	// Query methods run without a transaction; findById() would open one around the read.
	Mono<User> findByEmail(String email);

}
