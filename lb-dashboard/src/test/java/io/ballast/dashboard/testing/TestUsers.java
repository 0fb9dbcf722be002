package io.ballast.dashboard.testing;

import com.password4j.BcryptFunction;
import com.password4j.types.Bcrypt;
import io.ballast.dashboard.access.Secrets;
import io.ballast.dashboard.config.DashboardAccess;
import io.ballast.dashboard.config.DashboardToken;
import io.ballast.dashboard.config.DashboardUser;
import io.ballast.dashboard.config.OverrideScope;
import io.ballast.dashboard.config.PasswordHash;
import io.ballast.dashboard.config.Role;
import io.ballast.dashboard.config.TokenHash;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Users for tests: the operator ann, the viewer vic, and a token of each role. */
public final class TestUsers {

    public static final String PASSWORD = "correct horse";

    /** The token of {@code ci}, an operator. */
    public static final String OPERATOR_TOKEN = Secrets.generateToken();

    /** The token of {@code prometheus}, a viewer. */
    public static final String VIEWER_TOKEN = Secrets.generateToken();

    /** The token of {@code lag-check}, which may override backends of the pool web in the name of the source lag. */
    public static final String OVERRIDE_TOKEN = Secrets.generateToken();

    /** A password hash with the lowest cost, to keep tests fast. */
    private static final PasswordHash HASH =
            new PasswordHash(BcryptFunction.getInstance(Bcrypt.B, PasswordHash.MIN_COST)
                    .hash(PASSWORD)
                    .getResult());

    public static final DashboardUser ANN = new DashboardUser("ann", HASH, Role.OPERATOR);
    public static final DashboardUser VIC = new DashboardUser("vic", HASH, Role.VIEWER);

    private static final List<DashboardToken> TOKENS = List.of(
            new DashboardToken("ci", new TokenHash(Secrets.hashToken(OPERATOR_TOKEN)), Role.OPERATOR),
            new DashboardToken("prometheus", new TokenHash(Secrets.hashToken(VIEWER_TOKEN)), Role.VIEWER),
            new DashboardToken(
                    "lag-check",
                    new TokenHash(Secrets.hashToken(OVERRIDE_TOKEN)),
                    Role.OVERRIDE,
                    Optional.of(new OverrideScope("lag", List.of("web")))));

    /** All users and tokens. */
    public static final DashboardAccess ALL = access(ANN, VIC);

    private TestUsers() {}

    /** Returns a configuration with these users and all tokens. */
    public static DashboardAccess access(DashboardUser... users) {
        return new DashboardAccess(List.of(users), TOKENS, Duration.ofHours(12), List.of("lb.example"), false);
    }
}
