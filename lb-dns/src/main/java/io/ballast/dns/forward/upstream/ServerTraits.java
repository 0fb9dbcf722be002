package io.ballast.dns.forward.upstream;

import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.CookieOption;
import io.ballast.dns.wire.OptRecord;
import io.ballast.dns.wire.Rcode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the limitations of one server, and chooses the form of its queries. Each limitation is remembered
 * for {@value #RETENTION_MINUTES} minutes; then the standard form is tried again.
 *
 * <ul>
 *   <li>EDNS (<a href="https://datatracker.ietf.org/doc/html/rfc6891#section-7">RFC 6891 section 7</a>): if a
 *   server answers a question with FORMERR, NOTIMP or BADVERS, the question is sent again without an OPT
 *   record. If that helps, the next questions also omit OPT. If the server leaves queries with EDNS
 *   unanswered, some queries are tried without EDNS. Questions whose answers are validated always need EDNS.
 *   <li>Random case: a UDP response that repeats the name in another case is not trusted. The question is
 *   sent again in lower case, from another port and with another id, so that a forger has to guess twice.
 *   After several such responses in a row, queries to the server use lower case immediately.
 *   <li>Cookies (<a href="https://datatracker.ietf.org/doc/html/rfc7873#section-5.3">RFC 7873 section
 *   5.3</a>): after a BADCOOKIE response, all queries to the server contain a cookie.
 * </ul>
 *
 * <p>Event-loop confined.
 */
final class ServerTraits {

    static final int RETENTION_MINUTES = 15;

    /**
     * Number of consecutive responses in a different letter case than the query. After this number, new queries
     * are sent in lower case from the start.
     */
    static final int CHANGED_CASE_THRESHOLD = 3;

    /**
     * Required number of trial queries without EDNS that are answered while queries with EDNS remain unanswered.
     * After this number of trials, EDNS is omitted immediately.
     */
    static final int EDNS_TRIAL_THRESHOLD = 2;

    /** A query is tried without EDNS if queries with EDNS have not been answered for this time. */
    static final int EDNS_TRIAL_DELAY_MILLIS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(ServerTraits.class);

    private static final long RETENTION_NANOS = RETENTION_MINUTES * 60_000_000_000L;
    private static final long EDNS_TRIAL_DELAY_NANOS = EDNS_TRIAL_DELAY_MILLIS * 1_000_000L;

    private final String server;
    private boolean lacksEdns;
    private long lacksEdnsUntil;
    /** Whether a query with EDNS was sent over UDP, and no query with EDNS has been answered since then. */
    private boolean isUnanswered;

    private long unansweredSince;
    private int answeredTrials;
    private boolean changesCase;
    private long changesCaseUntil;
    private int changedCaseCount;
    private byte @Nullable [] cookie;

    /** @param server the server's address, for the log */
    ServerTraits(String server) {
        this.server = server;
    }

    /** Decides for a query whether it has EDNS and a cookie, and whether its name is in mixed case. */
    QueryForm chooseForm(Question question, UpstreamProtocol protocol, boolean mixesCase, long now) {
        if (lacksEdns && now - lacksEdnsUntil >= 0) {
            lacksEdns = false;
        }
        if (changesCase && now - changesCaseUntil >= 0) {
            changesCase = false;
        }
        boolean isTrial = !lacksEdns
                && protocol == UpstreamProtocol.UDP
                && isUnanswered
                && now - unansweredSince >= EDNS_TRIAL_DELAY_NANOS
                && !question.isDnssecOk()
                && question.options() == null;
        boolean hasEdns = question.isValidated() || !(lacksEdns || isTrial);
        return new QueryForm(hasEdns, isTrial && !hasEdns, mixesCase && !changesCase, hasEdns ? cookie : null);
    }

    /** Records that a query was sent over UDP. */
    void onQuerySent(QueryForm form, long now) {
        if (form.hasEdns() && !isUnanswered) {
            isUnanswered = true;
            unansweredSince = now;
        }
    }

    /**
     * Handles a response in which the name differs from the query in letter case; returns the form in which the
     * query is repeated.
     */
    QueryForm onChangedCase(QueryForm form, long now) {
        changedCaseCount++;
        if (changedCaseCount >= CHANGED_CASE_THRESHOLD && !changesCase) {
            changesCase = true;
            changesCaseUntil = now + RETENTION_NANOS;
            LOG.info(
                    "msg=\"the resolver changes the case of names; queries use lower case for a while\" resolver={}"
                            + " minutes={}",
                    server,
                    RETENTION_MINUTES);
        }
        return form.withLowerCase();
    }

    /**
     * Processes a response.
     *
     * @param form the form of the query
     * @param wasRefused whether this query has no OPT record because the server rejected the question with EDNS
     * @param random source of the random bytes for a client cookie
     * @return the form in which the question is sent again; null if the response answers the question
     */
    @Nullable QueryForm onResponse(
            QueryForm form,
            Question question,
            boolean wasRefused,
            byte[] message,
            int length,
            int questionEnd,
            UnpredictableNumbers random,
            long now) {
        if (form.mixesCase()) {
            changedCaseCount = 0;
        }
        int opt = mayHaveExtendedRcode(message) ? OptRecord.find(message, length, questionEnd) : OptRecord.NONE;
        int rcode = OptRecord.rcode(message, opt);
        if (form.hasEdns()) {
            isUnanswered = false;
            answeredTrials = 0;
            if (rcode == Rcode.BADCOOKIE) {
                return withCookie(form, message, opt, random);
            }
            return refusesEdns(rcode) && mayLackEdns(question, rcode) ? form.withoutEdns() : null;
        }
        if (form.isEdnsTrial()) {
            isUnanswered = false;
            answeredTrials++;
        }
        boolean worksWithoutEdns =
                wasRefused ? !refusesEdns(rcode) : form.isEdnsTrial() && answeredTrials >= EDNS_TRIAL_THRESHOLD;
        if (worksWithoutEdns && !lacksEdns) {
            lacksEdns = true;
            lacksEdnsUntil = now + RETENTION_NANOS;
            LOG.info(
                    "msg=\"the resolver does not answer queries with EDNS; queries omit it for a while\" resolver={}"
                            + " minutes={}",
                    server,
                    RETENTION_MINUTES);
        }
        return null;
    }

    /**
     * Whether the response code may have upper bits that matter. The lower bits of BADVERS (16) are those of NOERROR,
     * and the lower bits of BADCOOKIE (23) are those of YXRRSET.
     */
    private static boolean mayHaveExtendedRcode(byte[] message) {
        int low = OptRecord.rcode(message, OptRecord.NONE);
        boolean isLow = low == Rcode.NOERROR || low == Rcode.YXRRSET;
        return isLow && message[6] == 0 && message[7] == 0;
    }

    private static boolean refusesEdns(int rcode) {
        return rcode == Rcode.FORMERR || rcode == Rcode.NOTIMP || rcode == Rcode.BADVERS;
    }

    /**
     * Returns whether the server may lack EDNS support. The client subnet may also cause FORMERR, so the question is
     * first sent without it (RFC 7871 section 7.1.3). The same applies to options of a client, which must not be able
     * to change how other clients' questions are sent.
     */
    private static boolean mayLackEdns(Question question, int rcode) {
        ClientSubnet subnet = question.subnet();
        boolean hasSubnet = subnet != null && subnet.family() != 0;
        return !question.isValidated() && question.options() == null && !(hasSubnet && rcode == Rcode.FORMERR);
    }

    private QueryForm withCookie(QueryForm form, byte[] message, int opt, UnpredictableNumbers random) {
        byte[] received = CookieOption.find(message, opt);
        byte[] sent = form.cookie();
        if (received != null && sent != null && hasSameClientCookie(received, sent)) {
            cookie = received;
            return form.withCookie(received);
        }
        byte[] client = new byte[CookieOption.CLIENT_BYTES];
        for (int i = 0; i < client.length; i++) {
            client[i] = (byte) random.nextU8();
        }
        cookie = client;
        return form.withCookie(client);
    }

    private static boolean hasSameClientCookie(byte[] received, byte[] sent) {
        int bytes = CookieOption.CLIENT_BYTES;
        return Arrays.equals(received, 0, bytes, sent, 0, bytes);
    }
}
