package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.MajorVersion;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.ProxiedClient;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.RequestCopy;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.ballast.http.trace.RequestTrace;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of the exchanges of a connection: supplies the requests that {@link Http1Session} has read, and
 * receives their responses. Creates the objects that serve the requests of the connection; the session uses these
 * objects too. Event-loop confined.
 */
final class Http1ClientSide implements ClientSide {

    final ClientAddress address;
    final ClientKeys keys;
    final RequestState requestState = new RequestState();
    final HeaderContext headerContext;
    final Exchange exchange;
    final ExchangeRecorder recorder;
    final ReceiveBuffer receiveBuffer;
    final RequestReader reader;
    final RequestRelay requestRelay;
    final LocalResponses responses;
    final KeepAlive keepAlive;
    final LocalAnswers localAnswers;
    final EarlyTermination termination;

    private final Http1Session session;
    private final ConnectionSettings settings;
    private final ClientLoop loop;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final ResponseRelay responseRelay;

    /** @param session is notified of the end of a response; this constructor does not call it */
    Http1ClientSide(
            Http1Session session,
            ClientLoop loop,
            ConnectionSource backends,
            Listener listener,
            ConnectionSettings settings,
            Channel channel,
            SocketAddress peer,
            SocketAddress local,
            ClientOutput output,
            ClientDeadline deadline) {
        ListenerConfig config = settings.config();
        Worker worker = loop.worker;
        boolean secure = config.tls().isPresent();
        this.session = session;
        this.settings = settings;
        this.loop = loop;
        this.output = output;
        this.deadline = deadline;
        this.address = new ClientAddress(
                new PeerConnection(peer, PeerAddress.port(local), secure, MajorVersion.HTTP_1), settings.forwarding());
        this.headerContext = new HeaderContext(worker, settings.headers(), address);
        headerContext.setConnection(channel);
        this.keys = new ClientKeys(PeerAddress.affinity(peer, worker.random()));
        this.exchange = new Exchange(
                worker, backends, listener, config.deadlines(), this, new ProxiedClient(peer, local), keys);
        this.recorder = new ExchangeRecorder(listener, settings, worker, requestState, output, address, headerContext);
        this.receiveBuffer = new ReceiveBuffer(worker.allocator());
        this.reader =
                new RequestReader(loop, receiveBuffer, HeadLimits.of(config.limits()), config.underscores(), secure);
        this.requestRelay = new RequestRelay(
                loop.composer,
                exchange,
                requestState,
                address,
                headerContext,
                receiveBuffer,
                output,
                deadline,
                config.limits().bodyBytes());
        this.responseRelay = new ResponseRelay(loop, listener, output, headerContext, requestState);
        this.responses = new LocalResponses(worker, listener, output, headerContext, loop.lines, recorder);
        this.keepAlive = new KeepAlive(worker, listener, settings, requestState, output, deadline);
        this.localAnswers =
                new LocalAnswers(receiveBuffer, requestRelay, keepAlive, responses, requestState, loop.routing);
        this.termination = new EarlyTermination(
                session, this, exchange, requestState, receiveBuffer, requestRelay, responses, output, deadline);
    }

    // ---- the start of a request

    /** Starts to record a request with a valid head. */
    void recordRequest(RequestScanner request) {
        requestState.start(request);
        requestState.setUpgrade(UpgradeRequest.protocol(request, settings.upgrades()));
        headerContext.start();
        recorder.begin(request);
        if (address.isBehindProxy()) {
            address.read(request);
        }
    }

    /** Records a request whose head is incomplete or invalid. */
    void recordInvalidRequest() {
        reader.abandon();
        requestState.startFaulty();
        headerContext.start();
        recorder.beginFaulty(receiveBuffer.bytes());
    }

    // ---- sending the request

    @Override
    public void sendRequest(BackendSide backend) {
        if (!session.isHandling()) {
            reader.rescan(requireNonNull(requestState.head()));
        }
        endIfFaulty(requestRelay.send(backend));
    }

    @Override
    public boolean isFirstRequest() {
        return requestState.number() == 1;
    }

    @Override
    public RequestProperties request() {
        return requestState;
    }

    @Override
    public void resumeRequest() {
        endIfFaulty(requestRelay.resume());
    }

    @Override
    public boolean canSendAgain() {
        return requestState.canBeSentAgain() && session.state() != SessionState.CLOSED;
    }

    /** Ends an exchange whose request body is invalid; does nothing if there is no fault. */
    void endIfFaulty(@Nullable Failure bodyFault) {
        if (bodyFault != null) {
            termination.refuseBody(bodyFault);
        }
    }

    // ---- forwarding the response

    @Override
    public @Nullable PolicyExchange responsePolicies() {
        return headerContext.responsePolicies();
    }

    @Override
    public @Nullable RequestTrace recordedTrace() {
        return headerContext.recordedTrace();
    }

    @Override
    public @Nullable RequestCopy requestCopy() {
        return headerContext.requestCopy();
    }

    @Override
    public void informational(ResponseScanner head, ByteBuf received) {
        responseRelay.informational(head, received);
    }

    @Override
    public void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        requestState.release();
        responseRelay.head(head, received, bodyBytes, framing, mayContinue());
        if (requestRelay.isOpen() && !requestRelay.isBlockedByBackend()) {
            deadline.expectNothing(); // from now on, the backend's idle timeout covers the request body, too
        }
    }

    @Override
    public TunnelSide tunnel(ResponseScanner head, ByteBuf received) {
        requestState.release();
        deadline.clear();
        ClientTunnel started = new ClientTunnel(output, receiveBuffer, requestState);
        session.beginTunnel(started);
        responseRelay.switchProtocols(head, received);
        return started;
    }

    @Override
    public void responseBody(ByteBuf data) {
        responseRelay.body(data);
    }

    @Override
    public void flush() {
        output.flush();
    }

    @Override
    public boolean isWritable() {
        return output.isWritable();
    }

    @Override
    public void responseEnd() {
        output.flush();
        recorder.end(/* failure= */ null);
        session.nextRequest(requestState.announcesClose());
    }

    private boolean mayContinue() {
        return keepAlive.isAllowed(/* requestComplete= */ !requestRelay.isOpen());
    }

    @Override
    public boolean intercepts(ResponseScanner head) {
        return responses.intercepts(head);
    }

    @Override
    public void intercepted(int status) {
        RequestScanner request = restoredHead();
        boolean close = requestState.isVersion10() || !mayContinue();
        responses.intercepted(status, request, requestState, close);
        requestState.release();
        session.nextRequest(close);
    }

    /** The head of the request that is being served; null if it is no longer kept. */
    private @Nullable RequestScanner restoredHead() {
        ByteBuf head = requestState.head();
        if (head == null) {
            return null;
        }
        reader.rescan(head);
        return loop.request;
    }

    // ---- failures

    @Override
    public void fail(Failure failure) {
        if (requestState.isAnswered() || session.state() == SessionState.CLOSED) {
            responses.recordUnanswered(failure);
            output.abort(requestState.endsWithConnection()); // the client must detect that the response is incomplete
            return;
        }
        RequestScanner request = restoredHead();
        // After a framing error, both connections are closed, because the rest of the data cannot be trusted.
        boolean close = requestState.isVersion10() || failure == Failure.BAD_RESPONSE || !mayContinue();
        responses.failure(failure, request, requestState, close);
        requestState.release();
        session.nextRequest(close);
    }
}
