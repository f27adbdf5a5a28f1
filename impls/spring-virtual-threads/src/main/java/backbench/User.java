package backbench;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "users")
@JsonPropertyOrder({ "email", "first", "last", "city", "county", "age" })
public class User {

	@Id
	private String email;

	private String first;

	private String last;

	private String city;

	private String county;

	private Integer age;

	public String getEmail() {
		return this.email;
	}

	public String getFirst() {
		return this.first;
	}

	public String getLast() {
		return this.last;
	}

	public String getCity() {
		return this.city;
	}

	public String getCounty() {
		return this.county;
	}

	public Integer getAge() {
		return this.age;
	}

}
