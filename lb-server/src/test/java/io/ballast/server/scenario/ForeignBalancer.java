package io.ballast.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.Importer;
import io.ballast.config.imports.haproxy.HaproxyImporter;
import io.ballast.config.imports.nginx.NginxImporter;
import io.ballast.config.load.ConfigLoader;
import io.ballast.net.testing.TestCertificate;
import io.ballast.server.compose.Balancer;
import io.ballast.server.testing.ExclusiveLoopback;
import io.ballast.server.testing.ForeignFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;

/** A configuration file of HAProxy or nginx with free ports, served by that program, or by Ballast after an import. */
final class ForeignBalancer {

    private static final Pattern LISTENS =
            Pattern.compile("(?m)^(\\s*(?:listen|bind) +)(?:\\*?:{1,3}|\\*:|127\\.0\\.0\\.1:)?([0-9]{2,5})(?=[ ;\\n])");
    private static final Pattern OF_IPV6 = Pattern.compile("(?m)^\\s*listen \\[::].*\\n");
    private static final Pattern BACKEND = Pattern.compile("127\\.0\\.0\\.1:(9[0-9]{3})|(?<=port )(9[0-9]{3})");

    /** Directives that need files or permissions that a test does not have. */
    private static final Pattern OF_MACHINE = Pattern.compile(
            "(?m)^\\s*(?:chroot|user|group|daemon|pidfile|pid|stats socket|log /dev/log|proxy_cache_path|worker_rlimit_nofile)\\b.*\\n");

    private static final Path STREAM = Path.of("/usr/lib/nginx/modules/ngx_stream_module.so");
    private static final int TRIES = 1500;

    private final ForeignFile file;
    private final Path directory;
    private final Path onFreePorts;
    private final SSLSocketFactory tls;
    private final Map<Integer, Integer> ports = new LinkedHashMap<>();

    private ForeignBalancer(ForeignFile file, Path directory, EchoBackends backends) throws Exception {
        this.file = file;
        this.directory = directory;
        TestCertificate certificate = TestCertificate.create();
        this.tls = certificate.client().getSocketFactory();
        String text = OF_IPV6.matcher(file.text()).replaceAll("");
        text = LISTENS.matcher(text).replaceAll(match -> {
            int port = ports.computeIfAbsent(Integer.valueOf(match.group(2)), named -> ExclusiveLoopback.freePort());
            return match.group(1) + ExclusiveLoopback.HOST + ":" + port;
        });
        text = withBackends(text, backends);
        Path pem =
                Files.writeString(directory.resolve("site.pem"), certificate.certificatePem() + certificate.keyPem());
        text = text.replace("/etc/ssl/site.crt", pem.toString())
                .replace("/etc/ssl/site.key", pem.toString())
                .replace("/etc/ssl/site.pem", pem.toString())
                .replace("/var/log/nginx", directory.toString());
        this.onFreePorts = Files.writeString(directory.resolve(file.path().getFileName()), text);
    }

    static ForeignBalancer of(ForeignFile file, Path directory, EchoBackends backends) throws Exception {
        return new ForeignBalancer(file, directory, backends);
    }

    private static String withBackends(String text, EchoBackends backends) throws IOException {
        Matcher matcher = BACKEND.matcher(text);
        StringBuilder replaced = new StringBuilder();
        while (matcher.find()) {
            boolean isAddress = matcher.group(1) != null;
            int port = backends.port(Integer.parseInt(isAddress ? matcher.group(1) : matcher.group(2)));
            matcher.appendReplacement(replaced, (isAddress ? "127.0.0.1:" : "") + port);
        }
        return matcher.appendTail(replaced).toString();
    }

    static boolean isInstalled(ForeignFile file) {
        boolean needsStream =
                file.balancer().equals("nginx") && !file.words("raw").isEmpty();
        return program(file.balancer()).isPresent() && (!needsStream || Files.exists(STREAM));
    }

    private static Optional<Path> program(String name) {
        return Stream.of("/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/")
                .map(place -> Path.of(place + name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The ports to which requests can be sent. */
    List<Integer> ports() {
        List<String> raw = file.words("raw");
        return ports.entrySet().stream()
                .filter(port -> raw.isEmpty() || raw.contains(port.getKey().toString()))
                .map(Map.Entry::getValue)
                .toList();
    }

    boolean isTls(int port) {
        return ports.entrySet().stream()
                .anyMatch(each -> each.getValue() == port
                        && file.words("tls").contains(each.getKey().toString()));
    }

    Map<String, String> requestOriginal(List<EchoedRequest> requests) throws Exception {
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            for (int i = 0; i < TRIES && !isOpen(ports().get(0)) && process.isAlive(); i++) {
                process.waitFor(20, TimeUnit.MILLISECONDS);
            }
            assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
            return request(requests);
        } finally {
            process.destroy();
            process.waitFor(10, TimeUnit.SECONDS);
        }
    }

    Map<String, String> requestImported(List<EchoedRequest> requests) throws Exception {
        Importer importer = file.balancer().equals("nginx") ? new NginxImporter() : new HaproxyImporter();
        ImportReport report = new ImportReport();
        String written = importer.read(onFreePorts, report).toYaml(report);
        byte[] config = (written + "dashboard: {enabled: false}\n").getBytes(StandardCharsets.UTF_8);
        try (Balancer balancer = Balancer.start(new ConfigLoader(name -> null)
                .load("imported", new ByteArrayInputStream(config))
                .config())) {
            assertThat(balancer.config().listeners()).isNotEmpty();
            return request(requests);
        }
    }

    private Map<String, String> request(List<EchoedRequest> requests) throws IOException {
        Map<String, String> answers = new LinkedHashMap<>();
        for (EchoedRequest request : requests) {
            answers.put(request.toString(), request.request(tls, file.words("differs")));
        }
        return answers;
    }

    private List<String> command() throws IOException {
        String program = program(file.balancer()).orElseThrow().toString();
        String text = OF_MACHINE.matcher(Files.readString(onFreePorts)).replaceAll("");
        if (file.balancer().equals("haproxy")) {
            Path own = Files.writeString(directory.resolve("own.cfg"), text);
            return List.of(program, "-db", "-f", own.toString());
        }
        Path own = Files.writeString(directory.resolve("own.conf"), nginx(text));
        return List.of(program, "-c", own.toString(), "-p", directory.toString());
    }

    private String nginx(String text) {
        String main = "daemon off; pid " + directory + "/pid; error_log stderr;\n"
                + (System.getProperty("user.name").equals("root") ? "user root;\n" : "");
        if (!file.words("raw").isEmpty()) {
            return main + "load_module " + STREAM + ";\nevents {}\nstream {\n" + text + "}\n";
        }
        StringBuilder temporary = new StringBuilder("access_log off;\n");
        for (String path : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
            temporary
                    .append(path)
                    .append("_temp_path ")
                    .append(directory)
                    .append('/')
                    .append(path)
                    .append(";\n");
        }
        return text.contains("http {")
                ? main + text.replace("http {", "http {\n" + temporary)
                : main + "events {}\nhttp {\n" + temporary + text + "}\n";
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(ExclusiveLoopback.HOST, port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
