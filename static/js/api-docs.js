// The page of the API: Swagger UI, which asks nobody but this site.
"use strict";

(() => {
  const place = document.getElementById("api-docs");
  // The page has a main part already, and what Swagger UI calls so is in it.
  new MutationObserver(() => {
    for (const part of place.querySelectorAll("main, [role=main]")) part.setAttribute("role", "group");
  }).observe(place, { childList: true, subtree: true });
  SwaggerUIBundle({
    url: place.dataset.schema,
    domNode: place,
    presets: [SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
    deepLinking: true,
    validatorUrl: null,
    requestInterceptor: (request) => {
      if (!["GET", "HEAD", undefined].includes(request.method)) {
        request.headers["X-CSRFToken"] = place.dataset.csrf;
      }
      return request;
    },
  });
})();
