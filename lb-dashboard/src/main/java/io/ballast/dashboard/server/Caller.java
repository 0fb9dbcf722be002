package io.ballast.dashboard.server;

import io.ballast.dashboard.config.OverrideScope;
import io.ballast.dashboard.config.Role;
import java.util.Optional;

/**
 * The authenticated sender of a request.
 *
 * @param name the authenticated name; absent without authentication
 * @param role the caller's role; absent if only public resources are allowed
 * @param csrfToken the token that a request with side effects must send, because browsers send the session cookie
 *     automatically; absent for bearer tokens
 * @param scope the limits of the role {@link Role#OVERRIDE}; empty for other roles
 */
public record Caller(
        Optional<String> name, Optional<Role> role, Optional<String> csrfToken, Optional<OverrideScope> scope) {

    /** Creates a caller without a scope. */
    public Caller(Optional<String> name, Optional<Role> role, Optional<String> csrfToken) {
        this(name, role, csrfToken, /* scope= */ Optional.empty());
    }

    /** The caller of every request if no authentication is configured. It has all rights. */
    public static final Caller TRUSTED = new Caller(Optional.empty(), Optional.of(Role.OPERATOR), Optional.empty());

    /** A caller without valid credentials. */
    public static final Caller UNKNOWN = new Caller(Optional.empty(), Optional.empty(), Optional.empty());
}
