import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import io.netty.handler.ssl.OpenSsl;
import java.net.InetAddress;
import org.xbill.DNS.Name;

/** Uses the parts of libraries that a faulty merge of jars breaks: name lookups, native libraries, versioned classes. */
public class LibrarySmokeTest {

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
            // The library must load, but the kernel or a sandbox may refuse io_uring.
            if (!String.valueOf(e.getCause() == null ? e : e.getCause()).contains("io_uring")) {
                throw e;
            }
        }
    }
}
