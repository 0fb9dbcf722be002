package io.ballast.dns.forward.upstream;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.question.Question;
import io.ballast.net.timer.DeadlineWheel;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to have one server answer a question. It ends when it is answered, has failed, or is cancelled.
 * Event-loop confined.
 */
public final class Attempt {

    /**
     * The maximum number of times that a query is rewritten: once in lower case, once without EDNS, and twice
     * with a cookie.
     */
    private static final int MAX_REWRITES = 4;

    private final UpstreamLoop loop;
    private final UpstreamServer server;
    private final Question question;
    private final UpstreamProtocol protocol;
    private final String path;
    private final long client;
    private final Listener listener;
    private final long sentNanos;
    private final Timeout timeout = new Timeout();

    private @Nullable QueryMessage query;
    /** The EDNS, case and cookie settings of the sent query; null before it is sent. */
    private @Nullable QueryForm form;
    /** The number of times that the query was rewritten after a response from the server. */
    private int rewrites;

    private boolean isEdnsRemoved;
    private @Nullable UpstreamChannel channel;
    private @Nullable AttemptFailure pendingFailure;
    private int id;
    private boolean isConnectionReused;
    private boolean isRetried;
    private boolean ended;

    /**
     * Receives the result of an attempt in exactly one call, unless the attempt is cancelled. The listener may
     * start and cancel attempts during this call.
     */
    public interface Listener {

        /**
         * Receives a response. The id, the question and its letter case match the query; nothing else has been checked.
         *
         * @param message array whose first {@code length} bytes are the response; valid during this call only
         */
        void onAnswer(Attempt attempt, byte[] message, int length);

        void onFailure(Attempt attempt, AttemptFailure failure);
    }

    Attempt(
            UpstreamLoop loop,
            UpstreamServer server,
            Question question,
            UpstreamProtocol protocol,
            String path,
            long client,
            Listener listener) {
        this.loop = loop;
        this.server = server;
        this.question = question;
        this.protocol = protocol;
        this.path = path;
        this.client = client;
        this.listener = listener;
        this.sentNanos = loop.frontendLoop().readClock();
        server.onAttemptStarted(client);
        loop.frontendLoop().setDeadline(timeout, loop.settings().attemptTimeout());
    }

    public Backend backend() {
        return server.backend();
    }

    public Question question() {
        return question;
    }

    public UpstreamProtocol protocol() {
        return protocol;
    }

    /** Returns the path of the HTTP request. */
    String path() {
        return path;
    }

    /** Returns the send time on the event loop's clock, which is updated before the listener is called. */
    public long sentNanos() {
        return sentNanos;
    }

    /** Cancels the attempt. The listener is no longer called. */
    public void cancel() {
        if (!ended) {
            end();
        }
    }

    /** Prevents the query from being sent; the listener receives the failure later. */
    void failLater(AttemptFailure failure) {
        pendingFailure = failure;
    }

    /** Sends the query unless the attempt was cancelled in the meantime. */
    void send() {
        if (pendingFailure != null) {
            fail(pendingFailure);
        } else if (!ended) {
            server.send(this, protocol);
        }
    }

    /** Assigns the attempt to a channel. */
    void assignChannel(UpstreamChannel newChannel, int newId, boolean isReused) {
        channel = newChannel;
        id = newId;
        isConnectionReused = isReused;
    }

    /** Returns the id of the attempt on its channel. */
    int id() {
        return id;
    }

    boolean isEnded() {
        return ended;
    }

    /** Removes the attempt from its connection, so that it can be sent on another one. */
    void leaveChannel() {
        UpstreamChannel previous = channel;
        channel = null;
        if (previous != null) {
            previous.release(id);
        }
    }

    /**
     * Returns for how many leading bits of the client's network the answer is valid: 0 for all clients, {@link
     * io.ballast.dns.forward.question.ClientSubnet#UNKNOWN_SCOPE} if the response does not contain a scope.
     */
    public int scope() {
        return query().scope();
    }

    QueryMessage query() {
        if (query == null) {
            query = QueryMessage.of(question, form(), loop.random());
        }
        return query;
    }

    private QueryForm form() {
        if (form == null) {
            form = server.traits()
                    .chooseForm(
                            question,
                            protocol,
                            loop.settings().mixedCase(),
                            loop.frontendLoop().now());
        }
        return form;
    }

    /** Records that the query was sent over UDP. */
    void onSentByUdp() {
        if (question.options() == null) { // a server may ignore an option of a client, and still support EDNS
            server.traits().onQuerySent(form(), loop.frontendLoop().now());
        }
    }

    /**
     * Handles a response whose name differs from the query only in letter case. Returns whether the response
     * may be genuine; if so, the query is sent again in a different form.
     */
    boolean tryLowerCase() {
        if (!form().mixesCase()) {
            return false;
        }
        rewrite(server.traits().onChangedCase(form(), loop.frontendLoop().now()));
        return true;
    }

    /**
     * Processes a response. Returns true if the query must be sent again in a different form, such as without EDNS,
     * because the server does not accept the current form.
     */
    boolean tryOtherForm(byte[] message, int length) {
        QueryForm sent = form();
        QueryForm next = server.traits()
                .onResponse(
                        sent,
                        question,
                        isEdnsRemoved,
                        message,
                        length,
                        query().questionEnd(message),
                        loop.random(),
                        loop.frontendLoop().now());
        if (next == null || rewrites >= MAX_REWRITES) {
            return false;
        }
        isEdnsRemoved = sent.hasEdns() && !next.hasEdns();
        rewrite(next);
        return true;
    }

    private void rewrite(QueryForm next) {
        rewrites++;
        form = next;
        query = null;
    }

    /**
     * Returns whether the query has been rewritten {@link #MAX_REWRITES} times, so that no other form is left to
     * try over UDP. Over a connection, the server may still accept the query, because it can identify the client
     * by the connection (RFC 7873 section 5.3).
     */
    boolean isLastRewrite() {
        return rewrites == MAX_REWRITES;
    }

    /** Returns the query in the form in which it is sent on this connection. */
    byte[] bytes() {
        return query().bytes(id);
    }

    /**
     * Returns whether the query may be sent again after its connection was lost. This is allowed only once.
     *
     * @param isUnprocessed whether the server has announced that it did not process the query
     */
    boolean tryRetry(boolean isUnprocessed) {
        boolean isAllowed = (isConnectionReused || isUnprocessed) && !isRetried;
        isRetried |= isAllowed;
        return isAllowed;
    }

    void complete(byte[] message, int length) {
        end();
        loop.count(UpstreamCounter.ANSWERED);
        try {
            listener.onAnswer(this, message, length);
        } catch (RuntimeException e) {
            loop.reportError(e); // not thrown, so that the other attempts of this loop still receive their answers
        }
    }

    void fail(AttemptFailure failure) {
        if (ended) {
            return;
        }
        end();
        loop.count(
                switch (failure) {
                    case TIMEOUT -> UpstreamCounter.TIMEOUTS;
                    case TOO_MANY -> UpstreamCounter.TOO_MANY;
                    default -> UpstreamCounter.FAILED;
                });
        try {
            listener.onFailure(this, failure);
        } catch (RuntimeException e) {
            loop.reportError(e);
        }
    }

    private void end() {
        ended = true;
        loop.frontendLoop().deadlines().remove(timeout);
        leaveChannel();
        server.onAttemptEnded(client);
    }

    private final class Timeout extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (channel != null) {
                channel.onTimeout(Attempt.this);
            }
            fail(AttemptFailure.TIMEOUT);
        }
    }
}
