package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * HTTP Basic authentication (RFC 7617).
 *
 * @param users the users, from the configuration or from the file
 * @param usersFile the file that contains the users; empty if the configuration contains them
 * @param realm the realm of the challenge, printable ASCII without quotes and backslashes
 * @param header the request header in which the backend receives the user name; empty for none
 * @param forwardCredentials whether the backend receives the {@code Authorization} header
 * @param cache how long the result of a successful verification is cached; zero to verify each request
 * @param failures the rate of failed logins per client and user, above which logins are refused with 429
 */
public record BasicConfig(
        List<BasicUser> users,
        Optional<Path> usersFile,
        String realm,
        Optional<String> header,
        boolean forwardCredentials,
        Duration cache,
        Rate failures)
        implements PolicyRule {

    public static final String DEFAULT_REALM = "restricted";
    public static final Duration DEFAULT_CACHE = Duration.ofMinutes(5);
    public static final Duration MAX_CACHE = Duration.ofHours(1);
    public static final Rate DEFAULT_FAILURES = new Rate(10, Duration.ofMinutes(1));

    /** The syntax of a realm. */
    public static final String REALM = "[ !#-\\[\\]-~]{1,128}";

    public BasicConfig {
        users = List.copyOf(users);
        Checks.that(realm.matches(REALM), "realm", realm, "printable ASCII without \" and \\");
        Checks.that(!cache.isNegative() && cache.compareTo(MAX_CACHE) <= 0, "cache", cache, ">= 0s and <= 1h");
    }

    /** Creates a configuration with the default settings. */
    public static BasicConfig of(List<BasicUser> users) {
        return new BasicConfig(
                users,
                /* usersFile= */ Optional.empty(),
                DEFAULT_REALM,
                /* header= */ Optional.empty(),
                /* forwardCredentials= */ false,
                DEFAULT_CACHE,
                DEFAULT_FAILURES);
    }

    /** Returns a copy that sends the user name to the backend in a request header. */
    public BasicConfig withHeader(String name) {
        return new BasicConfig(users, usersFile, realm, Optional.of(name), forwardCredentials, cache, failures);
    }

    /** Returns a copy that forwards the {@code Authorization} header. */
    public BasicConfig withForwardedCredentials() {
        return new BasicConfig(users, usersFile, realm, header, /* forwardCredentials= */ true, cache, failures);
    }

    @Override
    public String kind() {
        return "basic";
    }

    @Override
    public boolean authenticates() {
        return true;
    }
}
