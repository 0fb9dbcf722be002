/** nginx's files: http and stream, with what proxies need of them. */
@NullMarked
package io.ballast.config.imports.nginx;

import org.jspecify.annotations.NullMarked;
