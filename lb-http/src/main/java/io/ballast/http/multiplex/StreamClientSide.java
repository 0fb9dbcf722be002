package io.ballast.http.multiplex;

import static java.util.Objects.requireNonNull;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.TrailerRules;
import io.ballast.http.head.WebSocketHandshake;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.RequestCopy;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.ballast.http.trace.RequestTrace;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of the exchanges of a stream object: supplies the requests that {@link ClientStream} has received,
 * and receives their responses. Creates the objects that serve the requests; the stream uses these objects too.
 * Event-loop confined.
 */
final class StreamClientSide implements ClientSide {

    final RequestState requestState = new RequestState();
    final Exchange exchange;
    final ExchangeRecorder recorder;
    final LocalResponses responses;
    final RequestBodyReceiver body;
    final StreamRequest request;
    final ResponseStream response;
    final ResponseHeadSender heads;
    final LocalStreamResponse localResponse;
    final StreamDeadline deadline;

    private final ClientStream stream;
    private final MultiplexedConnection connection;
    private final HeaderContext edits;

    /** @param stream is notified of the end of a response; this constructor does not call it */
    StreamClientSide(
            ClientStream stream,
            MultiplexedConnection connection,
            ClientAddress address,
            ResponseStream response,
            RequestWindow window) {
        this.stream = stream;
        this.connection = connection;
        MultiplexLoop loop = connection.loop();
        ConnectionSettings settings = connection.settings();
        Listener listener = connection.listener();
        ListenerConfig config = settings.config();
        this.edits = new HeaderContext(loop.worker, settings.headers(), address);
        edits.setConnection(connection.channel());
        ClientKeys keys = new ClientKeys(connection.affinity());
        this.exchange = new Exchange(
                loop.worker, loop.backends, listener, config.deadlines(), this, connection.proxiedClient(), keys);
        this.response = response;
        this.deadline = new StreamDeadline(loop.worker, config.deadlines(), connection.clock(), response, stream);
        this.body = new RequestBodyReceiver(stream, connection, exchange, requestState, deadline, window);
        this.localResponse = new LocalStreamResponse(connection, requestState, edits, response, deadline);
        this.recorder =
                new ExchangeRecorder(listener, settings, loop.worker, requestState, localResponse, address, edits);
        this.responses = new LocalResponses(loop.worker, listener, localResponse, edits, loop.lines, recorder);
        this.request = new StreamRequest(
                stream, connection, address, exchange, keys, requestState, edits, recorder, responses);
        this.heads = new ResponseHeadSender(connection, requestState, edits, response, deadline);
    }

    // ---- sending the request

    @Override
    public void sendRequest(BackendSide backend) {
        body.send(request, backend);
    }

    @Override
    public boolean canSendAgain() {
        return stream.isOpen()
                && !requestState.isAnswered()
                && requestState.retryBuffer().isComplete();
    }

    @Override
    public boolean isFirstRequest() {
        return connection.isFirst(stream.id());
    }

    @Override
    public RequestProperties request() {
        return requestState;
    }

    @Override
    public void resumeRequest() {
        if (stream.isOpen() && exchange.isRunning()) {
            body.forwardHeld();
        }
    }

    // ---- forwarding the response

    @Override
    public @Nullable PolicyExchange responsePolicies() {
        return edits.responsePolicies();
    }

    @Override
    public @Nullable RequestTrace recordedTrace() {
        return edits.recordedTrace();
    }

    @Override
    public @Nullable RequestCopy requestCopy() {
        return edits.requestCopy();
    }

    @Override
    public void informational(ResponseScanner scanner, ByteBuf received) {
        received.release();
        heads.sendInformational(scanner);
        flush();
    }

    @Override
    public void responseHead(ResponseScanner scanner, ByteBuf received, int bodyBytes, BodyFraming framing) {
        if (stream.clientTunnel() != null && WebSocketHandshake.establishesTunnel(scanner.status())) {
            received.release();
            exchange.fail(Failure.UPGRADE_REFUSED);
            return;
        }
        stream.dropTunnel();
        heads.sendFinal(scanner, framing);
        if (bodyBytes > 0) {
            received.readerIndex(received.writerIndex() - bodyBytes);
            responseBody(received);
        } else {
            received.release();
        }
    }

    @Override
    public boolean intercepts(ResponseScanner head) {
        return !request.isGrpc() && responses.intercepts(head);
    }

    @Override
    public void intercepted(int status) {
        responses.intercepted(status, request.scanned(), requestState, /* close= */ false);
        stream.finishWithLocalResponse();
    }

    @Override
    public TunnelSide tunnel(ResponseScanner scanner, ByteBuf received) {
        heads.sendProtocolSwitch(scanner);
        response.add(received.skipBytes(scanner.end));
        return requireNonNull(stream.clientTunnel());
    }

    @Override
    public boolean framesBodies() {
        return true;
    }

    @Override
    public void responseTrailers(byte[] lines) {
        response.trailers(lines);
    }

    @Override
    public void responseBody(ByteBuf data) {
        connection.guard().creditBodyBytes(data.readableBytes());
        response.add(data);
        deadline.updateResponseDeadline();
    }

    @Override
    public void flush() {
        connection.flushSoon();
    }

    @Override
    public boolean isWritable() {
        return response.isWritable();
    }

    @Override
    public void responseEnd() {
        response.end();
        recorder.end(/* failure= */ null);
        connection.guard().creditResponse();
        stream.finishResponse();
    }

    @Override
    public void fail(Failure failure) {
        stream.fail(failure);
    }

    /** The trailers that the current request must not contain. */
    TrailerRules trailerRules() {
        return edits.edits().request();
    }
}
