/** nginx's files: http and stream, with what proxies need of them. */
@NullMarked
package io.ballast.server.importer.nginx;

import org.jspecify.annotations.NullMarked;
