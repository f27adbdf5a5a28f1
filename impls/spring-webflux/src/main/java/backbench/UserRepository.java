package backbench;

import reactor.core.publisher.Mono;

import org.springframework.data.repository.Repository;

public interface UserRepository extends Repository<User, String> {

	Mono<User> findByEmail(String email);

}
