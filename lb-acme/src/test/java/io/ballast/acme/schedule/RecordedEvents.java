package io.ballast.acme.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Records the results of orders as texts. Confined to one thread. */
final class RecordedEvents implements RenewalListener {

    private final List<String> all = new ArrayList<>();

    List<String> all() {
        return List.copyOf(all);
    }

    @Override
    public void issued(String name, String issuer, Instant notAfter) {
        all.add(issuer + " issued " + name);
    }

    @Override
    public void failed(String name, FailedOrder failure) {
        String next = failure.nextIssuer().map(issuer -> ", then " + issuer).orElse("");
        all.add(failure.issuer() + " failed " + name + " " + failure.reason() + next);
    }

    @Override
    public void revoked(String name, Revocation revocation, boolean isReplaced) {
        all.add("revoked " + name + " by " + revocation.who() + (isReplaced ? ", replaced" : ", deleted"));
    }
}
