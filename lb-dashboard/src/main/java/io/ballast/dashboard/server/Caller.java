package io.ballast.dashboard.server;

import io.ballast.core.config.Role;
import java.util.Optional;

/**
 * Who asks.
 *
 * @param name who he has proved to be; absent if he did not, or does not have to
 * @param role what he may do; absent if nothing but what anybody may
 * @param csrf what a request that changes something must repeat, since the browser sent the proof by itself; absent if a
 *     program did
 */
public record Caller(Optional<String> name, Optional<Role> role, Optional<String> csrf) {

    /** Somebody who may do everything, where nobody has to say who he is. */
    public static final Caller TRUSTED = new Caller(Optional.empty(), Optional.of(Role.OPERATOR), Optional.empty());

    /** Somebody who has not proved who he is. */
    public static final Caller UNKNOWN = new Caller(Optional.empty(), Optional.empty(), Optional.empty());
}
