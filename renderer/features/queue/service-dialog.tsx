import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { useWindow } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import { RadioList } from '../../ui/form/choice.tsx';
import { useServiceName } from '../../ui/text/use-service-name.ts';

export interface ServiceDialogProps {
  readonly open: boolean;
  /** The number of recordings to move. */
  readonly count: number;
  /** The service that all of them have now; `null` if they differ. */
  readonly from: ServiceAddress | null;
  readonly onMove: (service: ServiceAddress) => void;
  readonly onClose: () => void;
  readonly finalFocus?: DialogProps['finalFocus'];
}

/** Moves recordings that no service has a job for to another service. */
export function ServiceDialog({ open, count, from, onMove, onClose, finalFocus }: ServiceDialogProps) {
  const { t } = useTranslation();
  const nameOf = useServiceName();
  const accounts = useWindow((state) => state.settings.accounts);
  const services: readonly ServiceAddress[] = ['on-device', ...accounts].filter((one) => one !== from);
  const [picked, setPicked] = useState<ServiceAddress | null>(null);
  const chosen = picked ?? services[0] ?? 'on-device';
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t('sendWith.title', { count })}
      note={t('sendWith.note')}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            variant="main"
            onClick={() => {
              onClose();
              onMove(chosen);
            }}
          >
            {t('sendWith.move')}
          </Button>
        </>
      }
    >
      <RadioList
        label={t('addSheet.service')}
        name="move-to"
        value={chosen}
        options={services.map((service) => ({
          value: service,
          label: nameOf(service),
          note: t(service === 'on-device' ? 'settings.onDeviceMeaning' : 'settings.cloudMeaning'),
        }))}
        onChange={setPicked}
      />
    </Dialog>
  );
}
