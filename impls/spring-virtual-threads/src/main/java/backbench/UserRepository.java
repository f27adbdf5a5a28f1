package backbench;

import java.util.Optional;

import org.springframework.data.repository.Repository;

public interface UserRepository extends Repository<User, String> {

	// Query methods run without a transaction; findById() would open one around the read.
	Optional<User> findByEmail(String email);

}
