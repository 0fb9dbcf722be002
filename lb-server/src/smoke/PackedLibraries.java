import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import io.netty.handler.ssl.OpenSsl;
import java.net.InetAddress;
import org.xbill.DNS.Name;

/** Uses what breaks when jars are merged badly: lookups of names, native libraries, versioned classes. */
public class PackedLibraries {

    public static void main(String[] args) throws Exception {
        InetAddress.getByName("localhost");
        if (!Name.fromString("example.org.").isAbsolute()) {
            throw new AssertionError("dnsjava");
        }
        if (!System.getProperty("os.name").equals("Linux")) {
            return;
        }
        Epoll.ensureAvailability();
        OpenSsl.ensureAvailability();
        try {
            IoUring.ensureAvailability();
        } catch (UnsatisfiedLinkError e) {
            // The library must load; that the kernel or a sandbox refuses io_uring is not the jar's fault.
            if (!String.valueOf(e.getCause() == null ? e : e.getCause()).contains("io_uring")) {
                throw e;
            }
        }
    }
}
