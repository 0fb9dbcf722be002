package io.ballast.config.keys.dashboard;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.NameReference;
import io.ballast.core.Checks;
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

/** The keys of {@code dashboard.users}, {@code dashboard.tokens} and related settings. */
final class AccessKeys {

    /** The name of a user or token. It is short enough to be recorded as the author of a command. */
    private static final Type<String> NAME = Scalars.matching(
            "name", "a name of at most 32 letters, digits and . _ - @", "[A-Za-z0-9_][A-Za-z0-9_.@-]{0,31}");

    static final Type<String> HOST = Scalars.TEXT.map(AccessKeys::host, host -> host);

    private static final ShapeBuilder<DashboardUser> USER_KEYS =
            Shape.named("dashboard_user", "A user of the dashboard.");
    private static final Key<String> USER_NAME = USER_KEYS.required(
            "name", NAME, "user name for the login, also shown in the timeline", DashboardUser::name);
    private static final Key<PasswordHash> PASSWORD_HASH = USER_KEYS.required(
            "password_hash",
            SecretType.of(
                    "bcrypt hash",
                    "a bcrypt hash, as printed by 'lb password'",
                    PasswordHash.PATTERN,
                    PasswordHash::new,
                    PasswordHash::text),
            "the bcrypt hash of the password, at a cost from 8 to 15; lb password creates one",
            DashboardUser::passwordHash);
    private static final Key<Role> USER_ROLE = USER_KEYS.optional(
            "role",
            EnumWords.of(Role.class, Role.OVERRIDE),
            Role.VIEWER,
            "permissions of the user",
            DashboardUser::role);

    static final Type<DashboardUser> USER = USER_KEYS.build(
            values -> new DashboardUser(values.get(USER_NAME), values.get(PASSWORD_HASH), values.get(USER_ROLE)));

    private static final ShapeBuilder<DashboardToken> TOKEN_KEYS =
            Shape.named("dashboard_token", "A program that authenticates to the dashboard with a bearer token.");
    private static final Key<String> TOKEN_NAME =
            TOKEN_KEYS.required("name", NAME, "name of the token, shown in the timeline", DashboardToken::name);
    private static final Key<TokenHash> TOKEN_HASH = TOKEN_KEYS.required(
            "token_hash",
            SecretType.of(
                    "SHA-256 hash",
                    "64 hexadecimal digits, as lb token prints them",
                    TokenHash.PATTERN,
                    TokenHash::new,
                    TokenHash::hex),
            "the SHA-256 of the token; lb token creates a token and prints its hash",
            DashboardToken::tokenHash);
    private static final Key<Role> TOKEN_ROLE = TOKEN_KEYS.optional(
            "role",
            EnumWords.of(Role.class),
            Role.VIEWER,
            "permissions of the token; override: only external overrides of its source and pools",
            DashboardToken::role);
    private static final Key<String> TOKEN_SOURCE = TOKEN_KEYS.optional(
            "source",
            NAME,
            "required for the role override: the only source whose overrides the token may set and remove",
            token -> token.scope().map(OverrideScope::source));
    private static final Key<List<String>> TOKEN_POOLS = TOKEN_KEYS.optional(
            "pools",
            ListType.atLeastOne(NameReference.OVERRIDDEN_POOL).unique("pool", pool -> pool),
            "required for the role override: the pools whose backends the token may override",
            token -> token.scope().map(OverrideScope::pools));

    static final Type<DashboardToken> TOKEN = TOKEN_KEYS.build(AccessKeys::token);

    private AccessKeys() {}

    private static DashboardToken token(Values values) {
        Role role = values.get(TOKEN_ROLE);
        boolean mayOverride = role == Role.OVERRIDE;
        for (Key<?> key : List.of(TOKEN_SOURCE, TOKEN_POOLS)) {
            if (mayOverride && !values.has(key) && !values.isInvalid(key)) {
                values.reading().error(values.mapping(), "missing key '" + key.name() + "' for the role override");
            }
            if (!mayOverride && values.has(key)) {
                values.reading().error(values.node(key), "'" + key.name() + "' is allowed only with the role override");
            }
        }
        Optional<OverrideScope> scope = mayOverride
                ? Optional.of(new OverrideScope(
                        values.find(TOKEN_SOURCE).orElse(""),
                        values.find(TOKEN_POOLS).orElse(List.of())))
                : Optional.empty();
        return new DashboardToken(values.get(TOKEN_NAME), values.get(TOKEN_HASH), role, scope);
    }

    static Duration lifetime(Duration lifetime) {
        Checks.that(
                lifetime.compareTo(DashboardAccess.SHORTEST_LIFETIME) >= 0
                        && lifetime.compareTo(DashboardAccess.LONGEST_LIFETIME) <= 0,
                "session_lifetime",
                lifetime,
                "1m to 30d");
        return lifetime;
    }

    private static String host(String text) {
        Checks.that(Addresses.isHost(text), "host", text, "a name such as ballast.example.com, without port");
        return text;
    }
}
