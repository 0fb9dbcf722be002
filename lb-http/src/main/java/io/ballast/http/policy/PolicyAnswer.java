package io.ballast.http.policy;

import static java.util.Objects.requireNonNull;

import io.ballast.http.local.ResponseSource;
import io.ballast.http.relay.Failure;
import org.jspecify.annotations.Nullable;

/** The response that a policy sends to a request, in place of a backend. Event-loop confined. */
public final class PolicyAnswer {

    /** A refusal, a direct response or a local response; null if no policy has answered. */
    private @Nullable PolicyDecision response;
    /** The source of a local response that was not taken yet; null for none. */
    private @Nullable ResponseSource source;

    private @Nullable NamedPolicy answeredBy;
    private @Nullable NamedPolicy wouldAnswer;

    PolicyAnswer() {}

    /** Starts a request, which has no answer yet. */
    void begin() {
        response = null;
        answeredBy = null;
        wouldAnswer = null;
    }

    void set(NamedPolicy policy, PolicyDecision decision) {
        response = decision;
        answeredBy = policy;
        source = decision instanceof LocalResponse local ? local.source() : null;
    }

    /** Records that a policy with {@code dry_run} would have answered the request. */
    void setWouldAnswer(NamedPolicy policy) {
        if (wouldAnswer == null) {
            wouldAnswer = policy;
        }
    }

    /** Cancels the source of a local response that was not taken. */
    void end() {
        ResponseSource unused = takeSource();
        if (unused != null) {
            unused.cancel();
        }
    }

    boolean isLocal() {
        return response instanceof LocalResponse;
    }

    /**
     * The response: a {@link Refusal}, a {@link DirectResponse} or a {@link LocalResponse}. Only defined if a policy
     * has answered.
     */
    public PolicyDecision response() {
        return requireNonNull(response);
    }

    /**
     * Returns the source of the response if it is a {@link LocalResponse}. The caller must start or cancel it.
     *
     * @return null if the response is of another type
     */
    public @Nullable ResponseSource takeSource() {
        ResponseSource taken = source;
        source = null;
        return taken;
    }

    /** The reason of {@link #response}, for the access log. */
    public String reason() {
        return reason(response());
    }

    /** The reason of a decision that is an answer, for the access log. */
    static String reason(PolicyDecision answer) {
        if (answer instanceof Refusal refusal) {
            return refusal.reason();
        }
        return answer instanceof DirectResponse direct ? direct.reason() : ((LocalResponse) answer).reason();
    }

    /** The status of a refusal or of a direct response; 0 for other decisions, such as files. */
    static int status(PolicyDecision decision) {
        if (decision instanceof Refusal refusal) {
            return refusal.status();
        }
        return decision instanceof DirectResponse direct ? direct.status() : 0;
    }

    /** The name of the policy that answered the request; empty if no policy did. */
    public String answeredBy() {
        return answeredBy == null ? "" : answeredBy.name();
    }

    /** The name of the first policy with {@code dry_run} that would have answered the request; empty for none. */
    public String wouldAnswer() {
        return wouldAnswer == null ? "" : wouldAnswer.name();
    }

    /** Whether the connection closes after the response. */
    public boolean closes() {
        return response instanceof Refusal refusal && refusal.closes();
    }

    /** The failure of a refused request. */
    public Failure failure() {
        boolean undecided = response instanceof Refusal refusal && refusal.undecided();
        return undecided ? Failure.POLICY_FAILED : Failure.POLICY_REFUSED;
    }
}
