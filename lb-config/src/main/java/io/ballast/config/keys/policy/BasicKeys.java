package io.ballast.config.keys.policy;

import io.ballast.config.key.Durations;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.ErrorText;
import io.ballast.policy.config.BasicConfig;
import io.ballast.policy.config.BasicUser;
import io.ballast.policy.config.HashedPassword;
import io.ballast.policy.config.Rate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The keys of {@code policies.NAME.basic}. */
final class BasicKeys {

    private static final ShapeBuilder<BasicConfig> KEYS = Shape.named(
            "basic_policy",
            "HTTP Basic authentication (RFC 7617). A request without a valid user name and password gets 401.");

    private static final Type<List<BasicUser>> INLINE_USERS = new NamedType<>(
                    hashes(), BasicUser.NAME, "1 to 255 characters without ':' and control characters")
            .map(BasicKeys::users, BasicKeys::byName);

    private static final Key<List<BasicUser>> USERS = KEYS.optional(
            "users",
            INLINE_USERS,
            "names of users with the hashes of their passwords, bcrypt or argon2id; lb password prints one",
            config -> config.usersFile().isPresent() ? Optional.empty() : Optional.of(config.users()));
    private static final Key<Path> USERS_FILE = KEYS.optional(
            "users_file",
            FileType.ofContent(),
            "file with a line NAME:HASH for each user, as htpasswd -B writes it; read at startup and at each reload",
            BasicConfig::usersFile);
    private static final Key<String> REALM = KEYS.optional(
            "realm",
            Scalars.matching("realm", "1 to 128 printable ASCII characters without \" and \\", BasicConfig.REALM),
            BasicConfig.DEFAULT_REALM,
            "realm that browsers show to the user",
            BasicConfig::realm);
    private static final Key<String> HEADER = KEYS.optional(
            "header",
            IdentityHeaders.NAME,
            "request header with the name of the user for the backend; removed from requests of clients; default: none",
            BasicConfig::header);
    private static final Key<Boolean> FORWARD_CREDENTIALS = KEYS.optional(
            "forward_credentials",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "true: the backend receives the Authorization header",
            BasicConfig::forwardCredentials);
    private static final Key<Duration> CACHE = KEYS.optional(
            "cache",
            Durations.DURATION,
            BasicConfig.DEFAULT_CACHE,
            "how long the result of a successful verification is cached, at most 1h; 0s: each request is verified",
            BasicConfig::cache);
    private static final Key<Rate> FAILURES = KEYS.optional(
            "failures",
            RateTexts.TYPE,
            BasicConfig.DEFAULT_FAILURES,
            "rate of failed logins per client and user; further attempts get 429 with Retry-After",
            BasicConfig::failures);

    static {
        KEYS.exactlyOne(USERS, USERS_FILE);
    }

    static final Type<BasicConfig> BASIC = KEYS.build(BasicKeys::build);

    private static final CredentialFile<BasicUser> FILE =
            new CredentialFile<>(USERS_FILE, BasicKeys::user, BasicUser::name, "user");

    private BasicKeys() {}

    /**
     * Returns the type of a password hash. Unlike for other secrets, the message for an invalid hash names its scheme,
     * because users try hashes with unsupported schemes.
     */
    private static Type<HashedPassword> hashes() {
        SecretType<HashedPassword> type = SecretType.of(
                "password hash",
                HashedPassword.EXPECTED,
                HashedPassword.PATTERN,
                HashedPassword::new,
                HashedPassword::text);
        return new SecretType<>(
                type.label(), type.expected(), Pattern.compile(".*"), type.parse(), type.print(), type.schema());
    }

    private static List<BasicUser> users(Map<String, HashedPassword> byName) {
        return byName.entrySet().stream()
                .map(user -> new BasicUser(user.getKey(), user.getValue()))
                .toList();
    }

    private static Map<String, HashedPassword> byName(List<BasicUser> users) {
        Map<String, HashedPassword> byName = new LinkedHashMap<>();
        users.forEach(user -> byName.put(user.name(), user.password()));
        return byName;
    }

    private static BasicUser user(String name, String hash) {
        try {
            return new BasicUser(name, new HashedPassword(hash));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("user '" + name + "': " + ErrorText.of(e), e);
        }
    }

    private static BasicConfig build(Values values) {
        return new BasicConfig(
                values.has(USERS_FILE) ? FILE.read(values) : values.find(USERS).orElse(List.of()),
                values.find(USERS_FILE),
                values.get(REALM),
                values.find(HEADER),
                values.get(FORWARD_CREDENTIALS),
                values.get(CACHE),
                values.get(FAILURES));
    }
}
