-- Remakes the table "users" with its 100,000 rows, the same on every server: MySQL 8.0 or later, MariaDB 10.6 or later.
--
-- A row is computed from its number n, 0 to 99,999; nothing is random. There are 125 first names and 160 last names, so
-- n names each pair of them five times, and the five have addresses of five forms. Where a name is no ASCII word, "|"
-- divides it from the spelling that its address uses; in the list of places it divides the city from its county.
-- The character set and the collation are given, because the defaults of MySQL and MariaDB differ.

SET NAMES utf8mb4;

DROP TABLE IF EXISTS users;

CREATE TABLE users (
  email varchar(255) PRIMARY KEY,
  first varchar(255),
  last varchar(255),
  city varchar(255),
  county varchar(255),
  age int
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

INSERT INTO users (email, first, last, city, county, age)
WITH
digits AS (
  SELECT 0 AS digit UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
  UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9
),
numbers AS (
  SELECT a.digit + 10 * b.digit + 100 * c.digit + 1000 * d.digit + 10000 * e.digit AS n
  FROM digits AS a CROSS JOIN digits AS b CROSS JOIN digits AS c CROSS JOIN digits AS d CROSS JOIN digits AS e
),
-- CRC32 scatters age and place over the numbers, so that neighbours have little in common.
scattered AS (
  SELECT n, CRC32(n) AS scatter FROM numbers
),
chosen AS (
  SELECT
    n,
    n DIV 20000 AS form,
    18 + scatter MOD 82 AS age,
    ELT(1 + n MOD 125,
      'Ada', 'Adam', 'Agnès|agnes', 'Ahmed', 'Aino', 'Aisha', 'Alan', 'Alice', 'Amara', 'Amelia',
      'Ana', 'Anders', 'Andrew', 'André|andre', 'Anna', 'Aoife', 'Arjun', 'Arthur', 'Astrid', 'Ayşe|ayse',
      'Barbara', 'Beatriz', 'Ben', 'Björn|bjorn', 'Brian', 'Bríd|brid', 'Carlos', 'Caroline', 'Charles', 'Chen',
      'Chiara', 'Chloé|chloe', 'Ciarán|ciaran', 'Claire', 'Daniel', 'David', 'Deirdre', 'Dorothy', 'Edith', 'Edward',
      'Elif', 'Elizabeth', 'Ella', 'Emily', 'Emma', 'Erik', 'Esther', 'Ethan', 'Eva', 'Fatima',
      'Felix', 'Fiona', 'Florence', 'Frank', 'François|francois', 'Freya', 'Gabriel', 'George', 'Grace', 'Greta',
      'Hannah', 'Harry', 'Helen', 'Henry', 'Hiro', 'Hugo', 'Ian', 'Ibrahim', 'Ingrid', 'Isabel',
      'Ivan', 'Jack', 'Jakub', 'James', 'Jane', 'João|joao', 'John', 'José|jose', 'Judith', 'Julia',
      'Jürgen|jurgen', 'Karen', 'Kenji', 'Laura', 'Leila', 'Liam', 'Linda', 'Lucía|lucia', 'Lukas', 'Łukasz|lukasz',
      'Maeve', 'Margaret', 'María|maria', 'Martin', 'Mary', 'Matilda', 'Mei', 'Michael', 'Mohammed', 'Nadia',
      'Niamh', 'Nikolai', 'Noah', 'Nora', 'Olga', 'Oliver', 'Patrick', 'Paul', 'Priya', 'Rachel',
      'Robert', 'Rosa', 'Ruth', 'Samuel', 'Sarah', 'Seán|sean', 'Siobhán|siobhan', 'Sofia', 'Søren|soren', 'Thomas',
      'Tove', 'Victor', 'William', 'Yuki', 'Zoë|zoe'
    ) AS first_spelling,
    ELT(1 + n DIV 125 MOD 160,
      'Adams', 'Ahmed', 'Allen', 'Anderson', 'Andersson', 'Bailey', 'Baker', 'Barnes', 'Becker', 'Bell',
      'Bennett', 'Berg', 'Bianchi', 'Brooks', 'Brown', 'Bùi|bui', 'Butler', 'Byrne', 'Campbell', 'Carter',
      'Castro', 'Chapman', 'Clark', 'Coleman', 'Collins', 'Cook', 'Cooper', 'Costa', 'Cox', 'Cruz',
      'D''Angelo', 'Davies', 'Davis', 'de la Cruz|delacruz', 'Dubois', 'Dunne', 'Edwards', 'Eriksson', 'Evans', 'Fernández|fernandez',
      'Fischer', 'Fisher', 'Fitzgerald', 'Fletcher', 'Foster', 'Fox', 'Gallagher', 'García|garcia', 'Gibson', 'Gonzalez',
      'Graham', 'Gray', 'Green', 'Gunnarsdóttir|gunnarsdottir', 'Gupta', 'Haddad', 'Hall', 'Hansen', 'Harris', 'Harrison',
      'Hayes', 'Hernández|hernandez', 'Hill', 'Hoffmann', 'Hopper', 'Horváth|horvath', 'Howard', 'Hughes', 'Hunt', 'Ivanova',
      'Jackson', 'James', 'Jensen', 'Johansson', 'Johnson', 'Jones', 'Kaya', 'Kelly', 'Khan', 'Kim',
      'King', 'Kowalski', 'Kumar', 'Larsen', 'Lefèvre|lefevre', 'Lewis', 'Li', 'Lopez', 'Lovelace', 'Lynch',
      'MacDonald', 'Martin', 'Martínez|martinez', 'Mason', 'McCarthy', 'Mensah', 'Meyer', 'Miller', 'Mitchell', 'Moore',
      'Morgan', 'Müller|mueller', 'Murphy', 'Murray', 'Nagy', 'Nakamura', 'Nguyễn|nguyen', 'Nielsen', 'Novák|novak', 'Núñez|nunez',
      'O''Brien', 'O''Connor', 'O''Neill', 'Okafor', 'Olsen', 'Owen', 'Öztürk|ozturk', 'Parker', 'Patel', 'Pereira',
      'Petrov', 'Phillips', 'Popescu', 'Powell', 'Price', 'Quinn', 'Ramos', 'Reid', 'Reyes', 'Richardson',
      'Rivera', 'Roberts', 'Robinson', 'Rossi', 'Ryan', 'Santos', 'Sato', 'Schäfer|schaefer', 'Schmidt', 'Scott',
      'Shaw', 'Silva', 'Singh', 'Smith', 'Suzuki', 'Svensson', 'Tanaka', 'Taylor', 'Thomas', 'Thompson',
      'Turner', 'van Dijk|vandijk', 'Walker', 'Walsh', 'Wang', 'White', 'Wilson', 'Wright', 'Young', '𠮷野|yoshino'
    ) AS last_spelling,
    ELT(1 + scatter DIV 82 MOD 60,
      'Aberdeen|Aberdeenshire', 'Athlone|Westmeath', 'Austin|Travis', 'Bath|Somerset', 'Belfast|Antrim', 'Bergen|Vestland',
      'Boston|Suffolk', 'Brașov|Brașov', 'Brighton|East Sussex', 'Cambridge|Cambridgeshire', 'Canterbury|Kent', 'Chicago|Cook',
      'Cluj-Napoca|Cluj', 'Cork|Cork', 'Debrecen|Hajdú-Bihar', 'Denver|Denver', 'Derry|Londonderry', 'Dublin|Dublin',
      'Dún Laoghaire|Dublin', 'Durham|County Durham', 'Ennis|Clare', 'Exeter|Devon', 'Galway|Galway', 'Göteborg|Västra Götaland',
      'Győr|Győr-Moson-Sopron', 'Houston|Harris', 'Iași|Iași', 'Ipswich|Suffolk', 'Kilkenny|Kilkenny', 'King''s Lynn|Norfolk',
      'Leeds|West Yorkshire', 'Letterkenny|Donegal', 'Limerick|Limerick', 'Lincoln|Lincolnshire', 'Linköping|Östergötland', 'Liverpool|Merseyside',
      'Malmö|Skåne', 'Miami|Miami-Dade', 'Monaco|', 'Norwich|Norfolk', 'Oxford|Oxfordshire', 'Pécs|Baranya',
      'Portland|Multnomah', 'Reading|Berkshire', 'San Diego|San Diego', 'Seattle|King', 'Sheffield|South Yorkshire', 'Singapore|',
      'Sligo|Sligo', 'St John''s|', 'Stavanger|Rogaland', 'Stockholm|Stockholm', 'Tallinn|Harju', 'Tartu|Tartu',
      'Tromsø|Troms', 'Truro|Cornwall', 'Upper Arlington|Franklin', 'Waterford|Waterford', 'Wexford|Wexford', 'York|North Yorkshire'
    ) AS place
  FROM scattered
),
people AS (
  SELECT
    n,
    form,
    age,
    place,
    SUBSTRING_INDEX(first_spelling, '|', 1) AS first,
    SUBSTRING_INDEX(last_spelling, '|', 1) AS last,
    LOWER(SUBSTRING_INDEX(first_spelling, '|', -1)) AS first_word,
    LOWER(SUBSTRING_INDEX(last_spelling, '|', -1)) AS last_word
  FROM chosen
)
-- A few people have one name, no known place, or no known age; a few are older than 99.
SELECT
  CASE form
    WHEN 0 THEN CONCAT(first_word, '.', last_word, '@example.com')
    WHEN 1 THEN CONCAT(first_word, '.', last_word, '.', 2026 - age, '@example.org')
    WHEN 2 THEN CONCAT(first_word, '_', last_word, '@mail.example.com')
    WHEN 3 THEN CONCAT(last_word, '+', first_word, '@example.net')
    ELSE CONCAT(LEFT(first_word, 1), last_word, n, '@example.co.uk')
  END AS email,
  first,
  CASE WHEN n MOD 1009 = 0 THEN NULL ELSE last END AS last,
  CASE WHEN n MOD 499 = 0 THEN NULL ELSE SUBSTRING_INDEX(place, '|', 1) END AS city,
  CASE WHEN n MOD 499 = 0 THEN NULL ELSE NULLIF(SUBSTRING_INDEX(place, '|', -1), '') END AS county,
  CASE WHEN n MOD 251 = 0 THEN NULL WHEN n MOD 1999 = 1 THEN 100 + n MOD 10 ELSE age END AS age
FROM people
ORDER BY email;
