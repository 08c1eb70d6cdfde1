// Imported first, so that the styles of components come after these.
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { FailureBoundary, StartFailure } from './features/frame/failure.tsx';
import { applyLanguageSetting, i18n, loadTexts } from './i18n.ts';
import { preloadParts } from './lazy-part.tsx';
import { asProblem, notifyAdded, notifyError } from './notices.ts';
import { openStore } from './window-store.ts';
import { keepUndoInFields, runEditCommand } from './ui/focus/undo-keys.ts';
import { keepFocus } from './ui/focus/keep-focus.ts';
import { nextFrame } from './ui/time/timers.ts';
import { StoreProvider } from './use-store.ts';

/** Resolves when notices can be shown, in the user's language. */
const canNotify = Promise.withResolvers<void>();
// Not awaited yet: the main process answers while the texts load.
const opening = openStore(window.longhand, {
  async addedExternally(report) {
    await canNotify.promise;
    notifyAdded(report, await opening);
  },
  async failed(error) {
    await canNotify.promise;
    notifyError(error);
  },
});
opening.catch(() => undefined);
await loadTexts();
const setDocumentLanguage = (): void => {
  document.documentElement.lang = i18n.language;
  document.documentElement.dir = i18n.dir();
};
i18n.on('languageChanged', setDocumentLanguage);
setDocumentLanguage();

const element = document.getElementById('root');
if (element === null) throw new Error('The page has no #root element.');
keepFocus(element);
keepUndoInFields();
window.longhand.on('editCommand', runEditCommand);
const root = createRoot(element);

try {
  const store = await opening;
  await applyLanguageSetting(store.getState().settings.language);
  store.subscribe(() => void applyLanguageSetting(store.getState().settings.language));
  root.render(
    <StrictMode>
      <StoreProvider value={store}>
        <FailureBoundary>
          <App />
        </FailureBoundary>
      </StoreProvider>
    </StrictMode>,
  );
  void nextFrame().then(canNotify.resolve);
} catch (error) {
  await applyLanguageSetting('system');
  root.render(<StartFailure problem={asProblem(error)} />);
}
preloadParts();
