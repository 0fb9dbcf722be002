package io.ballast.http.serving;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Affinity;
import io.ballast.core.balance.SessionTokens;
import io.ballast.core.config.header.HeaderVariable;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.header.HeaderVariables;
import io.ballast.http.header.ListenerHeaders;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.header.SessionCookie;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.RequestCopy;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.key.RequestKey;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.trace.RequestTrace;
import io.ballast.net.tls.TlsSessionInfo;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header changes of the current exchange of a client connection, and the values of their variables. A variable
 * keeps its value for the whole exchange. Event-loop confined.
 */
public final class HeaderContext implements HeaderVariables {

    private static final byte[] NOTHING = {};

    private final Worker worker;
    private final ListenerHeaders listener;
    private final ClientAddress client;
    private final boolean trustsClientIds;
    private final RequestId id;
    private final StickySessionToken session = new StickySessionToken();

    private @Nullable Channel channel;
    private @Nullable TlsSessionInfo tls;
    private RouteHeaderEdits edits;
    private @Nullable Backend backend;
    /** The policies of the current request; null until a request of the connection has policies. */
    private @Nullable PolicyExchange policies;

    private byte[] host = NOTHING;
    private int hostLength;
    private boolean uuidGenerated;

    /** The value of {@code $time_ms} in this exchange; 0 until first used. */
    private long timeMillis;

    private long uuidHigh;
    private long uuidLow;
    private long number;

    public HeaderContext(Worker worker, ListenerHeaders listener, ClientAddress client) {
        this.worker = worker;
        this.listener = listener;
        this.client = client;
        this.trustsClientIds = switch (listener.idTrust()) {
            case NEVER -> false;
            case TRUSTED_PROXIES -> client.isBehindProxy();
            case ALWAYS -> true;
        };
        this.id = new RequestId(worker.random());
        this.edits = listener.edits();
    }

    /** Sets the connection of the exchanges, which the TLS variables need. */
    public void setConnection(Channel connection) {
        channel = connection;
    }

    /** Starts an exchange whose request head has not been read yet. */
    public void start() {
        edits = listener.edits();
        backend = null;
        hostLength = 0;
        uuidGenerated = false;
        timeMillis = 0;
        number = 0;
        id.reset();
        session.clear();
        client.reset();
    }

    /** Sets the request head and the route's header edits for the current exchange. */
    public void setRequest(RequestScanner request, RouteHeaderEdits ofRoute) {
        edits = ofRoute;
        if (ofRoute.usesHost()) {
            storeHost(request);
        }
        if (trustsClientIds) {
            storeClientId(request);
        }
    }

    private void storeHost(RequestScanner request) {
        hostLength = request.hostEnd() - request.authorityStart;
        if (host.length < hostLength) {
            host = new byte[hostLength];
        }
        System.arraycopy(request.bytes, request.authorityStart, host, 0, hostLength);
    }

    private void storeClientId(RequestScanner request) {
        for (int i = 0; i < request.count; i++) {
            if (ByteClasses.equalsIgnoreCase(
                    request.bytes, request.lineStart[i], request.nameEnd[i], listener.idHeaderBytes())) {
                id.useIfValid(request.bytes, request.valueStart[i], request.valueEnd[i]);
                return;
            }
        }
    }

    /**
     * Sets the values that the strategy of the request's pool uses to recognize the client: address, configured key, or
     * affinity token.
     */
    public void setClientKeys(Route.ToPool to, RoutedRequest request, RouteScratch scratch, ClientKeys keys) {
        if (client.isBehindProxy()) {
            keys.setClientKey(Affinity.DEFAULT.of(client.bytes()));
        }
        keys.setAddress(client.bytes());
        RequestKey key = to.key();
        if (key != null) {
            keys.setRequestKey(key.hash(request, scratch));
        }
        SessionCookie cookie = edits.cookie();
        SessionTokens tokens = cookie == null ? null : to.pool().tokens();
        if (cookie == null || tokens == null) {
            session.clear();
        } else {
            session.begin(request, cookie.name(), tokens);
            keys.setToken(session.high(), session.low());
        }
    }

    /** Sets the backend of the current attempt; a retry may set another one. */
    public void setBackend(Backend choice) {
        backend = choice;
    }

    /**
     * Returns the object that evaluates the policies of the current request. The first call creates it.
     *
     * @param owner the request's owner, which is the same in every call
     */
    public PolicyExchange policies(PolicyExchange.Owner owner) {
        PolicyExchange known = policies;
        if (known == null) {
            known = new PolicyExchange(worker, this::tls, client.isBehindProxy(), owner);
            policies = known;
        }
        return known;
    }

    /**
     * Returns the route that serves a request after its policies have let it pass, and sets its header edits.
     *
     * @param request the head of the request
     * @param route the route whose policies were evaluated
     */
    public Route passedRoute(RequestScanner request, Route route) {
        PolicyExchange decided = policies;
        Route chosen = decided == null ? route : route.passedBy(decided);
        if (chosen != route) {
            setRequest(request, chosen.edits());
        }
        return chosen;
    }

    /** The evaluation of the current request's policies; null if the request has none. */
    @Nullable PolicyExchange activePolicies() {
        return policies != null && policies.isActive() ? policies : null;
    }

    /** The names of request headers that policies have removed from the current request; null for none. */
    @Nullable List<byte[]> removedRequestHeaders() {
        return policies == null ? null : policies.removedRequestHeaders();
    }

    /** The policies of the current request if one of them may change the response; null otherwise. */
    public @Nullable PolicyExchange responsePolicies() {
        return policies != null && policies.changesResponse() ? policies : null;
    }

    /** The trace of the current request; null if it has none. */
    @Nullable RequestTrace trace() {
        return policies == null ? null : policies.activeTrace();
    }

    /** The trace of the current request if its attempts are recorded; null otherwise. */
    public @Nullable RequestTrace recordedTrace() {
        RequestTrace current = trace();
        return current != null && current.isRecorded() ? current : null;
    }

    /**
     * Returns the receiver of a copy of the current request, as sent to a backend; null if no policy copies the
     * request.
     */
    public @Nullable RequestCopy requestCopy() {
        return policies == null ? null : policies.requestCopy();
    }

    public RouteHeaderEdits edits() {
        return edits;
    }

    /** The changes to the head of the backend's response. */
    public CompiledHeaderChanges response() {
        SessionCookie cookie = edits.cookie();
        return cookie != null && session.needsCookie(backend) ? cookie.response() : edits.response();
    }

    RequestId id() {
        return id;
    }

    /** The name of the request id header. */
    String idHeader() {
        return listener.idHeader();
    }

    @Override
    public void append(HeaderVariable variable, ByteAppender target) {
        switch (variable) {
            case REMOTE_ADDR -> target.append(client.text(), 0, client.textLength());
            case TIME -> target.append(worker.time());
            case TIME_MS -> appendTime(target);
            case UUID -> appendUuid(target);
            case INCREMENTAL -> appendNumber(target);
            case HOST -> target.append(host, 0, hostLength);
            case REQUEST_ID -> target.append(id.text(), 0, id.length());
            case BACKEND -> target.append(backend == null ? NOTHING : backend.addressBytes());
            case TLS_VERSION -> target.append(tls().version());
            case TLS_CIPHER -> target.append(tls().cipher());
            case TLS_SERVER_NAME -> target.append(tls().serverName());
            case TLS_CLIENT_SUBJECT -> target.append(tls().clientSubject());
            case TOKEN -> session.append(backend, target);
            case TRACE_ID -> appendTraceId(target);
            case REQUEST_POLICY_LINES -> appendRequestLines(target);
            case RESPONSE_POLICY_LINES -> appendLines(policies == null ? null : policies.responseLines(), target);
        }
    }

    @Override
    public @Nullable ByteAppender defaultLines() {
        return policies == null ? null : policies.defaultLines();
    }

    /** Appends the header lines that the policies of the request add to a response that Ballast generates. */
    public void appendPolicyLines(ByteAppender target) {
        if (policies != null) {
            target.append(policies.responseLines());
            DefaultHeaderLines.append(policies.defaultLines(), target);
        }
    }

    /** The trace id of the current request; empty if it has no trace. Allocates. */
    String traceId() {
        RequestTrace current = trace();
        return current == null ? "" : new String(current.id(), StandardCharsets.US_ASCII);
    }

    private void appendTraceId(ByteAppender target) {
        RequestTrace current = trace();
        if (current != null) {
            target.append(current.id());
        }
    }

    private void appendRequestLines(ByteAppender target) {
        appendLines(policies == null ? null : policies.requestLines(), target);
        RequestTrace current = trace();
        if (current != null) {
            current.appendLines(target);
        }
    }

    private static void appendLines(@Nullable ByteAppender lines, ByteAppender target) {
        if (lines != null) {
            target.append(lines.bytes(), 0, lines.length());
        }
    }

    /** The TLS parameters of the client connection. */
    TlsSessionInfo tls() {
        TlsSessionInfo known = tls;
        if (known == null) {
            known = channel == null ? TlsSessionInfo.NONE : TlsSessionInfo.of(channel);
            tls = known;
        }
        return known;
    }

    /** Whether the client's connection uses TLS. */
    boolean isSecure() {
        return tls() != TlsSessionInfo.NONE;
    }

    private void appendTime(ByteAppender target) {
        if (timeMillis == 0) {
            timeMillis = worker.timeMillis();
        }
        byte[] seconds = worker.time(timeMillis / 1000);
        int fraction = (int) (timeMillis % 1000);
        target.append(seconds, 0, seconds.length - 1); // omits the final Z, which follows the fraction
        target.append((byte) '.');
        target.append((byte) ('0' + fraction / 100));
        target.append((byte) ('0' + fraction / 10 % 10));
        target.append((byte) ('0' + fraction % 10));
        target.append((byte) 'Z');
    }

    private void appendUuid(ByteAppender target) {
        if (!uuidGenerated) {
            uuidGenerated = true;
            uuidHigh = worker.random().nextLong();
            uuidLow = worker.random().nextLong();
        }
        target.appendUuid(uuidHigh, uuidLow);
    }

    private void appendNumber(ByteAppender target) {
        if (number == 0) {
            number = listener.nextNumber();
        }
        target.appendDecimal(number);
    }
}
