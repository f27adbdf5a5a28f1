package backbench;

import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class UserController {

	private final UserService users;

	public UserController(UserService users) {
		this.users = users;
	}

	@GetMapping("/")
	public Mono<User> currentUser(Caller caller) {
		return this.users.get(caller.email());
	}

}
