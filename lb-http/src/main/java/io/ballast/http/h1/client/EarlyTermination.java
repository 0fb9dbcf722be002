package io.ballast.http.h1.client;

import io.ballast.http.exchange.Exchange;
import io.ballast.http.head.HeadError;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;

/**
 * Ends a client connection early, because a request body is invalid, the client missed a deadline, or memory is short.
 * Sends an error response if that is still possible. Event-loop confined.
 */
final class EarlyTermination {

    private final Http1Session session;
    private final Http1ClientSide client;
    private final Exchange exchange;
    private final RequestState requestState;
    private final ReceiveBuffer receiveBuffer;
    private final RequestRelay requestRelay;
    private final LocalResponses responses;
    private final ClientOutput output;
    private final ClientDeadline deadline;

    EarlyTermination(
            Http1Session session,
            Http1ClientSide client,
            Exchange exchange,
            RequestState requestState,
            ReceiveBuffer receiveBuffer,
            RequestRelay requestRelay,
            LocalResponses responses,
            ClientOutput output,
            ClientDeadline deadline) {
        this.session = session;
        this.client = client;
        this.exchange = exchange;
        this.requestState = requestState;
        this.receiveBuffer = receiveBuffer;
        this.requestRelay = requestRelay;
        this.responses = responses;
        this.output = output;
        this.deadline = deadline;
    }

    /** Ends an exchange whose request body is invalid; sends an error response if no response has begun. */
    void refuseBody(Failure failure) {
        exchange.clientGone();
        HeadError fault = requestState.body().fault();
        if (requestState.isAnswered()) {
            close(failure);
        } else if (fault != null) {
            responses.fault(fault, requestState);
            session.endConnection();
        } else {
            refuse(failure);
        }
    }

    /** Called when the client has missed its deadline. */
    void deadlineOver() {
        SessionState state = session.state();
        if ((state == SessionState.ENDING || !output.isWritable()) && deadline.readerContinues()) {
            return;
        }
        if (state == SessionState.SERVING && requestRelay.isBlockedByBackend() && output.isWritable()) {
            checkClientPresence();
        } else if (state == SessionState.HEAD && !receiveBuffer.isEmpty() && output.isWritable()) {
            client.recordInvalidRequest();
            refuse(Failure.REQUEST_HEAD_TIMEOUT);
        } else if (state == SessionState.POLICIES && session.isReadingAhead()) {
            refuse(deadline.bodyFailure());
        } else if (state == SessionState.SERVING && requestRelay.isOpen() && !requestState.isAnswered()) {
            exchange.clientGone();
            refuse(deadline.bodyFailure());
        } else {
            abortConnection();
        }
    }

    /** Checks whether the client has closed the connection while reading is paused. */
    private void checkClientPresence() {
        if (output.hasClientFinished()) {
            exchange.clientGone();
            close(Failure.CLIENT_GONE);
        } else {
            deadline.awaitBackend();
        }
    }

    /** Closes the connection; the request gets no response, or only a part of it. */
    private void close(Failure failure) {
        responses.recordUnanswered(failure);
        output.close();
    }

    private void refuse(Failure failure) {
        responses.failure(failure, /* scanned= */ null, requestState, /* close= */ true);
        session.endConnection();
    }

    /** Closes the connection and ends a running exchange. */
    private void abortConnection() {
        boolean unread = output.pendingBytes() > 0;
        if (unread) {
            exchange.clientGone();
            responses.recordUnanswered(Failure.SLOW_READER);
        }
        // A reset immediately frees the data, up to some MiB, that the system holds for a client that does not read.
        output.abort(/* visibly= */ unread);
    }

    /** Closes the connection to free its memory. */
    void shed() {
        SessionState state = session.state();
        boolean canRespond = output.pendingBytes() == 0 && (state == SessionState.HEAD || !requestState.isAnswered());
        if (!canRespond || state == SessionState.ENDING || state == SessionState.CLOSED) {
            exchange.abort(Failure.SHED);
            responses.recordUnanswered(Failure.SHED);
            output.abort(/* visibly= */ true);
            return;
        }
        if (state == SessionState.HEAD) {
            client.recordInvalidRequest();
        } else {
            exchange.abort(Failure.SHED);
        }
        refuse(Failure.SHED);
    }
}
