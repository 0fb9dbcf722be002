package io.ballast.dashboard.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.password4j.BcryptFunction;
import com.password4j.types.Bcrypt;
import io.ballast.dashboard.config.DashboardAccess;
import io.ballast.dashboard.config.DashboardToken;
import io.ballast.dashboard.config.DashboardUser;
import io.ballast.dashboard.config.PasswordHash;
import io.ballast.dashboard.config.Role;
import io.ballast.dashboard.config.TokenHash;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {

    private static final String PASSWORD = "correct horse \u00e4";

    @ParameterizedTest
    @ValueSource(strings = {"2a", "2b", "2y"})
    void commonBcryptVersionsAreAccepted(String form) {
        DashboardUser user = user("ann", hash(8, PASSWORD).replaceFirst("2b", form));

        assertThat(credentials(user).check("ann", PASSWORD)).hasValue(user);
        assertThat(credentials(user).check("ann", "correct horse a")).isEmpty();
        assertThat(credentials(user).check("ann", "")).isEmpty();
        assertThat(credentials(user).check("ben", PASSWORD)).isEmpty();
    }

    @Test
    void aHashOfHtpasswdIsAccepted() {
        // htpasswd -nbBC 8 ann ballast-test
        DashboardUser user = user(
                "ann",
                BcryptFunction.getInstance(Bcrypt.Y, 8).hash("ballast-test").getResult());

        assertThat(credentials(user).check("ann", "ballast-test")).hasValue(user);
    }

    @Test
    void usersWithDifferentCostsAreAuthenticated() {
        DashboardUser cheap = user("cheap", hash(8, PASSWORD));
        DashboardUser dear = user("dear", hash(9, "another one"));
        Credentials credentials = credentials(cheap, dear);

        assertThat(credentials.check("cheap", PASSWORD)).hasValue(cheap);
        assertThat(credentials.check("dear", "another one")).hasValue(dear);
        assertThat(credentials.check("dear", PASSWORD)).isEmpty();
        assertThat(credentials.check("cheap", "another one")).isEmpty();
    }

    @Test
    void passwordsThatBcryptWouldTruncateAreRejected() {
        String longest = "x".repeat(Secrets.MAX_PASSWORD_BYTES);
        DashboardUser user = user("ann", hash(8, longest));

        assertThat(credentials(user).check("ann", longest)).hasValue(user);
        assertThat(credentials(user).check("ann", longest + "y")).isEmpty();
    }

    @Test
    void tokensAreMatchedByTheirHashes() {
        String token = Secrets.generateToken();
        DashboardToken known = new DashboardToken("ci", new TokenHash(Secrets.hashToken(token)), Role.VIEWER);
        Credentials credentials =
                new Credentials(new DashboardAccess(List.of(), List.of(known), Duration.ofHours(1), List.of(), false));

        assertThat(credentials.token(token)).isEqualTo(Optional.of(known));
        assertThat(credentials.token(Secrets.generateToken())).isEmpty();
        assertThat(credentials.token(known.tokenHash().hex())).isEmpty();
        assertThat(credentials.check("ci", token)).isEmpty();
    }

    @Test
    void hashesAreNotPrintedAndAreValidated() {
        assertThat(user("ann", hash(8, PASSWORD)).toString()).doesNotContain("$2");
        assertThatIllegalArgumentException().isThrownBy(() -> new PasswordHash("secret"));
        assertThatIllegalArgumentException().isThrownBy(() -> new PasswordHash("$2b$07$" + "a".repeat(53)));
        assertThatIllegalArgumentException().isThrownBy(() -> new PasswordHash("$2b$16$" + "a".repeat(53)));
        assertThatIllegalArgumentException().isThrownBy(() -> new TokenHash("abc"));
    }

    @Test
    void invalidPasswordsAreRejected() {
        assertThat(new PasswordHash(Secrets.hashPassword("long enough")).cost()).isEqualTo(Secrets.BCRYPT_COST);
        assertThatIllegalArgumentException().isThrownBy(() -> Secrets.hashPassword("short"));
        assertThatIllegalArgumentException().isThrownBy(() -> Secrets.hashPassword("x".repeat(73)));
        assertThatIllegalArgumentException().isThrownBy(() -> Secrets.hashPassword("long\u0000enough"));
    }

    private static String hash(int cost, String password) {
        return BcryptFunction.getInstance(Bcrypt.B, cost).hash(password).getResult();
    }

    private static DashboardUser user(String name, String hash) {
        return new DashboardUser(name, new PasswordHash(hash), Role.OPERATOR);
    }

    private static Credentials credentials(DashboardUser... users) {
        return new Credentials(new DashboardAccess(List.of(users), List.of(), Duration.ofHours(1), List.of(), false));
    }
}
