package io.ballast.dashboard.config;

import io.ballast.core.Checks;
import java.util.Optional;

/**
 * A program that uses the API with a bearer token.
 *
 * @param name the name shown in the timeline
 * @param tokenHash hash of the token
 * @param role the program's permissions
 * @param scope the limits of the role {@link Role#OVERRIDE}; empty for other roles
 */
public record DashboardToken(String name, TokenHash tokenHash, Role role, Optional<OverrideScope> scope) {

    public DashboardToken {
        Checks.that(
                scope.isPresent() == (role == Role.OVERRIDE),
                "role",
                role,
                "override with a source and pools, or another role without a source and pools");
    }

    /** Creates a token of a role without a scope. */
    public DashboardToken(String name, TokenHash tokenHash, Role role) {
        this(name, tokenHash, role, Optional.empty());
    }
}
