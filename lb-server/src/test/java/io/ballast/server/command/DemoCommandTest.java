package io.ballast.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;
import picocli.CommandLine;

class DemoCommandTest {

    private static final Pattern CONFIG = Pattern.compile("config\\s+(\\S+)");

    @Test
    @Timeout(30)
    void removesFileAndDirectoryAtEnd() {
        CountDownLatch stop = new CountDownLatch(1);
        FileSeen out = new FileSeen(stop);

        int code = new CommandLine(new DemoCommand(stop))
                .setOut(new PrintWriter(out))
                .execute();

        assertThat(code).isZero();
        assertThat(out.existed).isTrue();
        assertThat(out.file).doesNotExist();
        assertThat(out.file.getParent()).doesNotExist();
    }

    @Test
    @Timeout(60)
    void usesPortOptionsAndAnswersHealthyAddresses() throws Exception {
        int http = freePort();
        int dashboard = freePort();
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        StringWriter out = new StringWriter() {
            @Override
            public void flush() {
                running.countDown();
            }
        };
        Thread demo = new Thread(() -> new CommandLine(new DemoCommand(stop))
                .setOut(new PrintWriter(out))
                .execute("--http-port=" + http, "--dashboard-port=" + dashboard, "--dns-port=0", "--backend-port=0"));
        demo.start();
        try {
            assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(out.toString())
                    .contains("http://127.0.0.1:" + http + "/", "http://127.0.0.1:" + dashboard + "/");
            Matcher dns =
                    Pattern.compile("dig @127.0.0.1 -p (\\d+) .*two addresses").matcher(out.toString());
            assertThat(dns.find()).isTrue();
            int port = Integer.parseInt(dns.group(1));
            awaitAddresses(port, "127.0.0.1", "127.0.0.2");

            Matcher broken =
                    Pattern.compile("curl (http://127.0.0.2:\\d+/break)").matcher(out.toString());
            assertThat(broken.find()).isTrue();
            HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(broken.group(1))).build(), BodyHandlers.discarding());
            awaitAddresses(port, "127.0.0.1");
        } finally {
            stop.countDown();
            demo.join();
        }
    }

    @Test
    @Timeout(30)
    void chosenPortInUseIsError() throws Exception {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            StringWriter err = new StringWriter();

            int code = new CommandLine(new DemoCommand(new CountDownLatch(1)))
                    .setErr(new PrintWriter(err))
                    .execute("--backend-port=" + used.getLocalPort());

            assertThat(code).isEqualTo(1);
            assertThat(err.toString()).contains("127.0.0.1:" + used.getLocalPort());
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Sends queries until the answer contains exactly these addresses. */
    private static void awaitAddresses(int port, String... expected) throws IOException {
        Message question =
                Message.newQuery(Record.newRecord(Name.fromConstantString("web.demo.test."), Type.A, DClass.IN));
        SimpleResolver resolver = new SimpleResolver(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        List<String> addresses = List.of();
        while (!addresses.equals(List.of(expected))) {
            addresses = resolver.send(question).getSection(Section.ANSWER).stream()
                    .map(Record::rdataToString)
                    .sorted()
                    .toList();
        }
    }

    /** Reads the printed instructions, records whether the file that they name exists, and ends the demo. */
    private static final class FileSeen extends StringWriter {

        private final CountDownLatch stop;
        private Path file = Path.of("none");
        private boolean existed;

        FileSeen(CountDownLatch stop) {
            this.stop = stop;
        }

        @Override
        public void flush() {
            Matcher named = CONFIG.matcher(toString());
            if (named.find()) {
                file = Path.of(named.group(1));
                existed = Files.exists(file);
                stop.countDown();
            }
        }
    }
}
