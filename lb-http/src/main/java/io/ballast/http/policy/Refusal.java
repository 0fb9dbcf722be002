package io.ballast.http.policy;

import io.ballast.core.Checks;

/**
 * The request is answered by the policy, and no later policy, route or backend sees it. Policies create their refusals
 * once; the header lines that differ between requests are in {@link PolicyExchange#responseLines}.
 *
 * @param status the status of the response, from 400 to 599
 * @param reason the reason, for the access log, such as {@code rate_limited}
 * @param detail a sentence for the client; empty to send only the status text
 * @param closes whether the connection closes after the response (HTTP/1.1 only)
 * @param undecided whether the policy could not decide, so that this is a failure of the policy
 */
public record Refusal(int status, String reason, String detail, boolean closes, boolean undecided)
        implements PolicyDecision {

    private static final int UNAVAILABLE = 503;

    public Refusal {
        Checks.between(status, 400, 599, "status");
    }

    /** Creates a refusal that the policy has decided. */
    public Refusal(int status, String reason, String detail, boolean closes) {
        this(status, reason, detail, closes, /* undecided= */ false);
    }

    /** Creates a refusal that the policy has decided. The connection stays open. */
    public Refusal(int status, String reason, String detail) {
        this(status, reason, detail, /* closes= */ false);
    }

    /** Creates a refusal with 503, because the policy could not decide. */
    public static Refusal undecided(String reason) {
        return new Refusal(UNAVAILABLE, reason, "", /* closes= */ false, /* undecided= */ true);
    }
}
