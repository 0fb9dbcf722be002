package io.ballast.http.tcp;

import io.ballast.net.budget.ConnectionShedding;

/** A session that can be closed when memory is short. */
final class SheddableSession extends ConnectionShedding.Sheddable {

    private final TcpSession session;

    SheddableSession(TcpSession session) {
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
