package io.ballast.policy.config;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * Lists of client addresses. A client in {@code allow} passes; another client is refused with 403 if it is in
 * {@code deny}, or if {@code denyAll} is set.
 *
 * @param closes whether the connection closes after the refusal (HTTP/1.1 only)
 */
public record AddressListConfig(List<Cidr> allow, List<Cidr> deny, boolean denyAll, boolean closes)
        implements PolicyRule {

    public AddressListConfig {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
        Checks.that(denyAll || !deny.isEmpty(), "deny", deny, "at least one network, or all");
        Checks.that(!denyAll || deny.isEmpty(), "deny", deny, "either networks or all");
    }

    @Override
    public String kind() {
        return "ip";
    }
}
