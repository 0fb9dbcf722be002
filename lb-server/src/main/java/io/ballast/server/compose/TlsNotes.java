package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.net.tls.BoringSslKeySupport;
import java.util.ArrayList;
import java.util.List;

/** Reports which parts of a configuration use Java's TLS because BoringSSL does not support the key type. */
public final class TlsNotes {

    private TlsNotes() {}

    /**
     * Returns one note for each HTTP listener and pool that uses Java's TLS instead of BoringSSL because of a key
     * type. A note also says if BoringSSL restricts the key types of client certificates. Each note starts with
     * the configuration path. TCP listeners are omitted, because they always use Java's TLS.
     */
    public static List<String> of(BallastConfig config) {
        List<String> notes = new ArrayList<>();
        List<ListenerConfig> listeners = config.listeners();
        for (int i = 0; i < listeners.size(); i++) {
            String place = "listeners[" + i + "].tls: ";
            ListenerConfig listener = listeners.get(i);
            if (listener.protocol() == ListenerProtocol.HTTP) {
                listener.tls()
                        .ifPresent(tls -> BoringSslKeySupport.notes(tls).forEach(note -> notes.add(place + note)));
            }
        }
        config.pools()
                .values()
                .forEach(pool -> pool.tls()
                        .ifPresent(tls -> BoringSslKeySupport.notes(tls)
                                .forEach(note -> notes.add("pools." + pool.name() + ".tls: " + note))));
        return notes;
    }
}
