package io.ballast.http;

import io.ballast.core.config.Address;
import io.ballast.net.config.SocketFile;
import io.ballast.net.takeover.SharedSocket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sockets at an address, and the listener that receives their clients. When a listener is replaced by another one
 * at the same address, the new listener takes over the sockets. No client in the system's queue is lost and the address
 * is not bound twice.
 *
 * <p>The new listener is reserved beforehand, so that the sockets are not closed in the meantime.
 *
 * <p>Thread safety: any thread may call any method; {@link #close} and {@link #release} block.
 *
 * @param <C> the kind of clients
 */
abstract class FrontendPort<C extends ListenerClients> {

    private final Class<C> kind;
    private final Address bind;
    private final SocketFile socketFile;
    private volatile C clients;
    private @Nullable C nextClients;
    private boolean abandoned;
    private boolean stopped;

    /**
     * @param kind the kind of clients
     * @param bind the configured address
     * @param access the permissions of the socket file, for a Unix socket
     * @param clients the first listener's clients
     */
    FrontendPort(Class<C> kind, Address bind, SocketFile access, C clients) {
        this.kind = kind;
        this.bind = bind;
        this.socketFile = access;
        this.clients = clients;
    }

    final Address bind() {
        return bind;
    }

    /** The permissions of the socket file, as configured when it was bound. */
    final SocketFile socketFile() {
        return socketFile;
    }

    /** The clients of the listener that owns the sockets now. */
    final C clients() {
        return clients;
    }

    /**
     * Reserves the sockets for {@code next}. Returns false if {@code next} is another kind of clients, if the sockets
     * have stopped, or if they are already reserved.
     */
    final synchronized boolean reserve(ListenerClients next) {
        if (stopped || nextClients != null || !kind.isInstance(next)) {
            return false;
        }
        nextClients = kind.cast(next);
        return true;
    }

    /** Gives the sockets to the reserved listener, which receives all new clients. Does not wait. */
    final synchronized void handOver() {
        C next = nextClients;
        if (next != null) {
            clients = next;
            nextClients = null;
            abandoned = false;
        }
    }

    /** Cancels the reservation. */
    final synchronized void cancelReservation() {
        nextClients = null;
        if (abandoned) {
            close();
        }
    }

    /** Closes the sockets when {@code gone} leaves, unless another listener owns or has reserved them. */
    final synchronized void release(ListenerClients gone) {
        if (gone != clients) {
            return;
        }
        abandoned = true;
        if (nextClients == null) {
            close();
        }
    }

    /** Closes the sockets; accepted connections stay open. */
    final synchronized void close() {
        stopped = true;
        closeSockets();
    }

    /** Stops accepting if the sockets are not needed otherwise; {@link #close} is still required. Does not wait. */
    final synchronized void stopAccepting() {
        stopped = stopSockets();
    }

    /** The sockets to share with a successor process; empty where the transport does not support that. */
    abstract List<SharedSocket> sharedSockets();

    /** Handles clients left in the queue by another process that shared the sockets and has stopped. Does not wait. */
    void activate() {}

    /**
     * Leaves the shared sockets to a successor process. Waits until no new clients arrive here. Running sessions keep
     * the sockets they need.
     */
    abstract void releaseToSuccessor();

    /** The actual port; 0 for a Unix socket. */
    abstract int port();

    /** Starts accepting; until then clients wait in the system's queue. Does not wait. */
    abstract void accept();

    /** Stops receiving on the sockets without waiting; false if running sessions still need them. */
    abstract boolean stopSockets();

    /** Closes the sockets; may be called again. */
    abstract void closeSockets();
}
