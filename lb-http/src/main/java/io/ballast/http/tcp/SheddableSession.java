package io.ballast.http.tcp;

import io.ballast.net.budget.ConnectionShedding;

/** The memory that a session holds, so that the session can be closed when memory is short. */
final class SessionHoldings extends ConnectionShedding.Holder {

    private final TcpSession session;

    SessionHoldings(TcpSession session) {
        this.session = session;
    }

    @Override
    protected long bufferedBytes() {
        return session.bufferedBytes();
    }

    @Override
    protected long movedBytes() {
        return session.movedBytes();
    }

    @Override
    protected void shed() {
        session.shed();
    }
}
