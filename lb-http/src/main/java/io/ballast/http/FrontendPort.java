package io.ballast.http;

import io.ballast.core.config.Address;
import io.ballast.net.config.SocketFile;
import io.ballast.net.takeover.SharedSocket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sockets at an address, and the listener whose clients come in there. Sockets belong to the address: when the listener goes
 * and another one comes at the same address, that takes them over, so that no client in the system's queue is lost and the
 * address need not be bound twice.
 *
 * <p>Who is to take over is named beforehand, so that the sockets are not closed meanwhile.
 *
 * <p>Thread safety: any thread may call any method; {@link #close} and {@link #leave} wait.
 *
 * @param <C> the clients that can come in there
 */
abstract class FrontendPort<C extends Clients> {

    private final Class<C> kind;
    private final Address bind;
    private final SocketFile access;
    private volatile C clients;
    private @Nullable C heir;
    private boolean abandoned;
    private boolean stopped;

    /**
     * @param kind of clients
     * @param bind where it was to be bound
     * @param access who may connect, if that is a Unix socket
     * @param clients whose sockets it has first
     */
    FrontendPort(Class<C> kind, Address bind, SocketFile access, C clients) {
        this.kind = kind;
        this.bind = bind;
        this.access = access;
        this.clients = clients;
    }

    final Address bind() {
        return bind;
    }

    /** Who may connect, if this is a Unix socket: what was configured when it was bound. */
    final SocketFile access() {
        return access;
    }

    /** Those who come in now. */
    final C clients() {
        return clients;
    }

    /**
     * Has {@code next} be the one that takes over; false if it has another kind of clients, if nothing comes in any more, or
     * if another one is to take over.
     */
    final synchronized boolean reserve(Clients next) {
        if (stopped || heir != null || !kind.isInstance(next)) {
            return false;
        }
        heir = kind.cast(next);
        return true;
    }

    /** The one that was named takes over: who comes from now on is its client. Does not wait. */
    final synchronized void handOver() {
        C next = heir;
        if (next != null) {
            clients = next;
            heir = null;
            abandoned = false;
        }
    }

    /** The one that was named does not take over. */
    final synchronized void giveUp() {
        heir = null;
        if (abandoned) {
            close();
        }
    }

    /** Clients are gone: closes the sockets, unless they belong to others by now, or are going to. */
    final synchronized void leave(Clients gone) {
        if (gone != clients) {
            return;
        }
        abandoned = true;
        if (heir == null) {
            close();
        }
    }

    /** Closes the sockets; what came in by them is not ended by that. */
    final synchronized void close() {
        stopped = true;
        closeSockets();
    }

    /** Lets no new clients in, if the sockets are needed for nothing else. Does not wait; to be closed all the same. */
    final synchronized void stopAccepting() {
        stopped = stopSockets();
    }

    /** Its sockets, as another process may go on with them; none where that cannot be. */
    abstract List<SharedSocket> shared();

    /** Another process had the sockets, too, and has stopped: takes in what it may have left. Does not wait. */
    void takeCharge() {}

    /**
     * Another process has the sockets, too, and takes in what comes from now on. Waits until nothing more comes in here; what
     * runs keeps what it needs of them.
     */
    abstract void leaveToOther();

    /** The port that it really has; 0 for a Unix socket. */
    abstract int port();

    /** Begins to let clients in; those wait in the system's queue until then. Does not wait. */
    abstract void accept();

    /** Has the sockets take nothing more in, without waiting; false if they must go on for what runs. */
    abstract boolean stopSockets();

    /** May be called again. */
    abstract void closeSockets();
}
